// The ticket desk: a table of made-up tickets, a search, a dialog, and a custom element with a shadow root.
const THINGS = ['Printer', 'Laptop', 'Projector', 'Badge', 'Phone', 'Monitor', 'Router', 'Keyboard'];
const TROUBLES = ['is out of paper', 'does not start', 'shows no picture', 'was lost', 'loses calls', 'flickers'];
const PEOPLE = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Alan'];
const STATES = ['Open', 'Waiting', 'Closed'];

const tickets = Array.from({ length: 60 }, (_, index) => ({
  number: 1001 + index,
  subject: `${THINGS[index % THINGS.length]} ${TROUBLES[index % TROUBLES.length]}`,
  state: STATES[index % STATES.length],
  owner: PEOPLE[index % PEOPLE.length],
}));

const rows = document.querySelector('#rows');
const found = document.querySelector('#found');
const dialog = document.querySelector('#confirm');

const button = (words, action) => Object.assign(document.createElement('button'), { textContent: words, onclick: action });

const row = (ticket) => {
  const line = document.createElement('tr');
  const link = Object.assign(document.createElement('a'), { href: `ticket.html#${ticket.number}`, textContent: ticket.subject });
  for (const content of [String(ticket.number), link, ticket.state, ticket.owner]) {
    const cell = document.createElement('td');
    cell.append(content);
    line.append(cell);
  }
  const actions = document.createElement('td');
  actions.append(button('Take', () => change(ticket, 'owner', 'You')), ' ', button('Close', () => ask(ticket)));
  line.append(actions);
  return line;
};

const show = () => {
  const form = new FormData(document.querySelector('#search'));
  const words = form.get('q').toLowerCase();
  const state = form.get('state');
  const matching = tickets.filter((ticket) =>
    `${ticket.number} ${ticket.subject} ${ticket.owner}`.toLowerCase().includes(words)
    && (state === 'Any' || ticket.state === state));
  rows.replaceChildren(...matching.map(row));
  found.textContent = `${matching.length} tickets`;
};

const change = (ticket, field, value) => {
  ticket[field] = value;
  show();
};

const ask = (ticket) => {
  document.querySelector('#confirm-text').textContent = `Number ${ticket.number}: ${ticket.subject}`;
  dialog.onclose = () => dialog.returnValue === 'yes' && change(ticket, 'state', 'Closed');
  dialog.showModal();
};

customElements.define('desk-meter', class extends HTMLElement {
  connectedCallback() {
    const { shadowRoot } = this.attachShadow({ mode: 'open' }) && this;
    const team = this.getAttribute('team');
    shadowRoot.innerHTML = `<p><label>${team} <meter min="0" max="100" value="${this.getAttribute('percent')}"></meter></label>
      <button>Rebalance ${team}</button></p>`;
    shadowRoot.querySelector('button').onclick = () => { shadowRoot.querySelector('meter').value = 50; };
  }
});

document.querySelector('#search').addEventListener('submit', (event) => {
  event.preventDefault();
  show();
});
show();
