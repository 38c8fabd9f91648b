// The chosen theme before the first paint.
const theme = localStorage.getItem('theme');
if (theme) document.documentElement.dataset.theme = theme;
