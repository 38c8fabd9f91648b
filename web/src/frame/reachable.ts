// What scrolls must be reachable by keyboard, and what does not scroll is no stop on the way.
export function reachable(node: HTMLElement) {
  const look = () => {
    const { overflowY } = getComputedStyle(node);
    const scrolls = overflowY === 'auto' && node.scrollHeight > node.clientHeight + 1;
    if (scrolls) node.tabIndex = 0;
    else node.removeAttribute('tabindex');
  };
  const sizes = new ResizeObserver(look);
  const changes = new MutationObserver(look);
  sizes.observe(node);
  changes.observe(node, { childList: true, characterData: true, subtree: true });
  return () => {
    sizes.disconnect();
    changes.disconnect();
  };
}
