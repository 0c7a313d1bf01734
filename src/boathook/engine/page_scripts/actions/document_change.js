// Settles when the document changes, or after a moment: what a wait does between two looks.

((milliseconds) => new Promise((done) => {
  const observer = new MutationObserver(() => {
    observer.disconnect();
    setTimeout(done, 16);
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  setTimeout(() => {
    observer.disconnect();
    done(undefined);
  }, milliseconds);
}))
