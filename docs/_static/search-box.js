// A server may forbid its pages to send forms; to search is to go to another page.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'get') return;
  event.preventDefault();
  location.assign(`${form.action.split('?')[0]}?${new URLSearchParams(new FormData(form))}`);
});
