// What every page of the gallery shares: the end states that its controls reached.
window.state = {};
const record = (name, value) => {
  state[name] = value;
  if (window !== top) parent.postMessage({ name, value }, '*');
};
addEventListener('message', (event) => {
  if (event.data && event.data.name) record(event.data.name, event.data.value);
});
const on = (id, type, listen) => document.getElementById(id).addEventListener(type, listen);
