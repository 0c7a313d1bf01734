// What a sign-in page asks for now: the visible fields, and the element that submits them.
(base) => {
  const own = globalThis.__boathook;
  const USER = /user|e-?mail|login|log-?in|account|phone|mobile|member|identifier|benutzer|kennung|konto|utilisateur|usuario/;
  const CODE = /one.?time|\botp\b|totp|2fa|mfa|two.?factor|verif|authenticat|passcode|security.?code|\bcode\b|\btoken\b/;
  const OTHER_CODE = /zip|postal|post.?code|promo|coupon|voucher|discount|country|area|card|cvc|cvv|gift/;
  const NOT_LOGIN = /search|newsletter|subscribe|coupon|suche/;
  const SENDS = /sign.?in|log.?in|log.?on|continue|next|submit|verify|confirm|enter|anmelden|weiter|einloggen|connexion|entrar|iniciar/;
  const ELSEWHERE = /show|hide|reveal|forgot|reset|cancel|back|google|apple|facebook|microsoft|github|passkey|sso|register|sign.?up|create|resend|help/;
  const attribute = (el, name) => (Element.prototype.getAttribute.call(el, name) || '').toLowerCase();
  const parent = (el) => own.flatParent(el);

  // Traps for robots are hidden by every means but display: none.
  const shown = (el) => {
    if (!Element.prototype.checkVisibility.call(el, { visibilityProperty: true, opacityProperty: true })) return false;
    const box = Element.prototype.getBoundingClientRect.call(el);
    const view = Object.getOwnPropertyDescriptor(Document.prototype, 'defaultView').get.call(el.ownerDocument);
    return box.width >= 4 && box.height >= 4 && box.right + view.scrollX > 0 && box.bottom + view.scrollY > 0;
  };
  const wordsOf = (el) => [attribute(el, 'name'), attribute(el, 'id'), attribute(el, 'placeholder'), own.probe(el).name.toLowerCase()].join(' ');
  const inside = (container, el) => {
    for (let at = el; at; at = parent(at)) if (at === container) return true;
    return false;
  };

  const fields = own.matching({ kind: 'css', value: 'input' })
    .filter((el) => /^(text|email|tel|number|password)$/.test(el.type) && shown(el) && !el.disabled && !el.readOnly)
    .map((el) => {
      const complete = attribute(el, 'autocomplete').split(/\s+/);
      const words = wordsOf(el);
      const secret = el.type === 'password';
      const digits = el.maxLength === 1 || /numeric|decimal/.test(attribute(el, 'inputmode')) || /^(tel|number)$/.test(el.type)
        || (el.maxLength >= 4 && el.maxLength <= 10);
      const code = complete.includes('one-time-code') || (CODE.test(words) && !OTHER_CODE.test(words) && (digits || !secret) && (!secret || digits));
      const named = complete.includes('username') ? 4 : complete.includes('email') ? 3 : el.type === 'email' ? 2 : USER.test(words) ? 1 : 0;
      return { el, code, secret: secret && !code, fresh: complete.includes('new-password'), single: el.maxLength === 1,
        named: code || secret || NOT_LOGIN.test(words) ? 0 : named, other: NOT_LOGIN.test(words) };
    });

  const containerOf = (el) => {
    if (el.form) return el.form;
    for (let at = parent(el), steps = 0; at && steps < 8; at = parent(at), steps++) {
      if (/^(form|dialog)$/.test(attribute(at, 'role')) || at.localName === 'dialog' || buttonsIn(at).length) return at;
    }
    return el.ownerDocument.body;
  };
  const BUTTONS = 'button, input[type=submit], input[type=image], input[type=button], [role=button]';
  let everyButton = null;
  const buttonsIn = (container) => {
    everyButton = everyButton || own.matching({ kind: 'css', value: BUTTONS }).filter(shown);
    return everyButton.filter((button) => button.form === container || inside(container, button));
  };
  const sender = (container) => {
    const scored = buttonsIn(container).map((button, place) => {
      const words = own.probe(button).name.toLowerCase() + ' ' + (button.value || '').toLowerCase();
      const submits = /^(submit|image)$/.test(button.type) && button.form ? 2 : 0;
      return [(ELSEWHERE.test(words) ? -5 : 0) + (SENDS.test(words) ? 3 : 0) + submits - place / 100, button];
    }).filter(([score]) => score > 0).sort((a, b) => b[0] - a[0]);
    return scored.length ? scored[0][1] : null;
  };

  const secrets = fields.filter((field) => field.secret);
  const alone = (field) => secrets.filter((other) => containerOf(other.el) === containerOf(field.el)).length === 1;
  const password = secrets.find((field) => !field.fresh && alone(field)) || secrets.find((field) => !field.fresh) || secrets[0];
  const codes = fields.filter((field) => field.code);
  const found = { kind: '', boxes: 0, els: {} };
  if (password) {
    const container = containerOf(password.el);
    const before = fields.slice(0, fields.indexOf(password)).filter((field) => !field.secret && !field.code && !field.other
      && (field.el.form || null) === (password.el.form || null) && inside(container, field.el));
    const user = before.filter((field) => field.named).sort((a, b) => b.named - a.named)[0] || before[before.length - 1];
    found.kind = 'password';
    found.els = { password: password.el, user: user && user.el, submit: sender(container) };
  } else if (codes.length) {
    found.kind = 'code';
    found.boxes = codes.filter((field) => field.single).length;
    found.els = { code: codes[0].el, submit: sender(containerOf(codes[0].el)) };
  } else {
    const user = fields.filter((field) => field.named).sort((a, b) => b.named - a.named)[0];
    if (user && !NOT_LOGIN.test((own.probe(sender(containerOf(user.el)) || user.el).name || '').toLowerCase())) {
      found.kind = 'user';
      found.els = { user: user.el, submit: sender(containerOf(user.el)) };
    }
  }
  const named = Object.entries(found.els).filter(([, el]) => el);
  const { ids, first, next } = own.number(named.map(([, el]) => el), base);
  const said = own.matching({ kind: 'css', value: '[role=alert], [aria-live=assertive], [role=status]' })
    .filter(shown).map((el) => (el.innerText || '').trim()).filter(Boolean).join(' ').slice(0, 200);
  return { kind: found.kind, boxes: found.boxes, said, first, next,
    ids: Object.fromEntries(named.map(([role], place) => [role, ids[place]])) };
}
