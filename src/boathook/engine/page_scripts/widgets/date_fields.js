// Fields for dates: what kind a field is, its parts, what it shows, and the buttons beside it.
// Evaluates to a function (question, field, details); needs the walker's API.

((question, field, details) => {
  const isShown = (el) => __boathook.isShown(el) && el.getClientRects().length > 0;
  const NATIVE = ['date', 'time', 'month', 'week', 'datetime-local'];
  const SECTION = '[role=spinbutton][contenteditable], [role=spinbutton][data-type]';
  const PARTS = [['year', /year|jahr|année|año/i], ['month', /month|monat|mois|mes/i], ['weekday', /week ?day/i], ['day', /day|tag|jour|día/i],
    ['hour', /hour|stunde|heure|hora/i], ['minute', /minut/i], ['second', /second|sekund|segund/i], ['meridiem', /meridiem|am\/pm|day ?period/i]];

  const partOf = (el) => {
    const words = `${el.dataset.type || ''} ${el.getAttribute('aria-label') || ''}`;
    const period = PARTS[PARTS.length - 1];
    const found = [period, ...PARTS].find(([, pattern]) => /** @type {RegExp} */ (pattern).test(words));
    return found ? found[0] : '';
  };

  const sections = () => {
    for (let at = field, level = 0; at && level < 5; at = at.parentElement, level++) {
      const found = [...at.querySelectorAll(SECTION)].filter(isShown);
      if (found.length > 1) return found;
      if (level && at.matches('form, dialog, [role=dialog], body')) break;
    }
    return [];
  };

  const dateInput = () => (field.matches('input') ? field : field.querySelector('input:not([type=hidden])') || field);
  const FORMAT = /^[YMDymdHhsaAp\s./:,–-]+$/;
  const formatOf = (input) => [input.placeholder, input.dataset.dateFormat, input.dataset.format]
    .find((text) => text && FORMAT.test(text) && (/y{2,4}/i.test(text) && /m/i.test(text) || /hh?\W+mm/i.test(text))) || '';
  const LIKELY = /date|calendar|picker|flatpickr|(^|[\s_-])time/i;
  const isLikely = (input) => {
    const around = [input, input.parentElement, input.parentElement && input.parentElement.parentElement].filter(Boolean);
    return input.readOnly || /dialog|grid/.test(input.getAttribute('aria-haspopup') || '')
      || around.some((el) => LIKELY.test(el.getAttribute('class') || '') || LIKELY.test(el.localName));
  };

  const describe = () => {
    const input = dateInput();
    if (input.matches('input') && NATIVE.includes(input.type)) {
      return { form: 'native', type: input.type, min: input.min, max: input.max, step: input.step };
    }
    const parts = sections();
    if (parts.length) return { form: 'sections', parts: parts.map(partOf) };
    if (!input.matches('input')) return { form: '' };
    return { form: 'text', readonly: input.readOnly, format: formatOf(input), likely: isLikely(input), type: input.type };
  };

  const two = (number) => String(number).padStart(2, '0');
  const formatted = (format, moment) => {
    // Only in formats without hours are small letters m months.
    const lower = !/M/.test(format) && !/h/i.test(format);
    const hour = moment.hour || 0;
    return format.replace(/y{4}|y{2}|M{1,2}|m{1,2}|d{1,2}|H{1,2}|h{1,2}|s{1,2}|a{1,2}/gi, (token) => {
      const kind = token[0];
      if (/y/i.test(kind)) return token.length > 2 ? String(moment.year) : two(moment.year % 100);
      if (kind === 'M' || (kind === 'm' && lower)) return two(moment.month);
      if (kind === 'm') return two(moment.minute || 0);
      if (/d/i.test(kind)) return two(moment.day);
      if (kind === 'H') return two(hour);
      if (kind === 'h') return /a/i.test(format) ? two(hour % 12 || 12) : two(hour);
      if (/s/i.test(kind)) return two(moment.second || 0);
      return hour < 12 ? 'AM' : 'PM';
    });
  };

  const monthNames = (month) => [document.documentElement.lang, ...navigator.languages, 'en'].filter(Boolean).flatMap((language) => ['long', 'short'].map((style) => {
    try {
      return new Intl.DateTimeFormat(language, { month: /** @type {'long' | 'short'} */ (style), timeZone: 'UTC' }).format(Date.UTC(2024, month - 1, 15)).toLowerCase().replace('.', '');
    } catch {
      return '';
    }
  })).filter(Boolean);

  // Whether a text names all parts of a moment, each by a number of its own.
  const names = (text, moment) => {
    const numbers = (text.match(/\d+/g) || []).map(Number);
    const take = (...wanted) => {
      const at = numbers.findIndex((number) => wanted.includes(number));
      if (at >= 0) numbers.splice(at, 1);
      return at >= 0;
    };
    const lower = text.toLowerCase();
    if (moment.year !== null && !take(moment.year) && !take(moment.year % 100)) return false;
    if (moment.month !== null && !monthNames(moment.month).some((name) => lower.includes(name)) && !take(moment.month)) return false;
    if (moment.day !== null && !take(moment.day)) return false;
    const half = /\b[ap]\.?m\b/.exec(lower);
    if (moment.hour !== null && half && (half[0][0] === 'p') !== (moment.hour > 11)) return false;
    if (moment.hour !== null && !(half ? take(moment.hour % 12 || 12) : take(moment.hour))) return false;
    return moment.minute === null || take(moment.minute);
  };

  const textAround = (level) => {
    let at = dateInput();
    for (let left = level; left > 0 && at.parentElement; left--) at = at.parentElement;
    return level ? [...at.querySelectorAll('input')].map((input) => input.value).join(' ') : dateInput().value || '';
  };
  const shows = (moments) => {
    const levels = moments.length > 1 ? [0, 1, 2, 3, 4] : [0];
    const text = levels.map(textAround).find((one) => {
      const [first, last] = [one.slice(0, Math.ceil(one.length / 2)), one.slice(Math.floor(one.length / 2))];
      return moments.length > 1 ? names(first, moments[0]) && names(last, moments[1]) : names(one, moments[0]);
    });
    return { shown: text === undefined ? null : text.trim(), text: textAround(moments.length > 1 ? 3 : 0) };
  };

  const held = (el, part) => {
    const now = el.getAttribute('aria-valuenow');
    const text = (el.textContent || '').trim();
    if (part === 'meridiem') return text.toLowerCase();
    return now !== null && now !== '' ? Number(now) : Number(/^\d+$/.test(text) ? text : NaN);
  };

  const OPENS = /calendar|choose|pick|open|date|kalender/i;
  const opener = () => {
    for (let at = field.parentElement, level = 0; at && level < 3; at = at.parentElement, level++) {
      const button = [...at.querySelectorAll('button, [role=button]')].filter(isShown)
        .find((el) => OPENS.test(`${el.getAttribute('aria-label') || ''} ${el.title} ${el.getAttribute('class') || ''}`));
      if (button) return { point: __boathook.centreInView(button) };
    }
    return {};
  };

  const isNear = (el) => { // in a layer over the page, not in the form that the field stands in
    for (let at = el; at && at !== document.body; at = at.parentElement) {
      if (/fixed|absolute/.test(getComputedStyle(at).position) && !at.contains(field)) return true;
    }
    return false;
  };
  const CONFIRMS = /^(ok|apply|done|set|confirm|accept|übernehmen)$/i;
  const confirmer = () => {
    const button = [...document.querySelectorAll('button, [role=button], a')].filter(isShown)
      .find((el) => CONFIRMS.test((el.textContent || '').trim()) && !el.matches(':disabled') && isNear(el));
    return button ? { point: __boathook.centreInView(button) } : {};
  };

  const clockInputs = () => [...document.querySelectorAll('input')].filter((el) => el !== field && isShown(el) && isNear(el))
    .map((el) => ({ el, part: partOf(el) || (/(hour|minute|second)/.exec(el.className) || [])[1] || '' })).filter(({ part }) => part);
  const halfButton = () => [...document.querySelectorAll('[class*=am-pm], [class*=meridi]')].filter((el) => isShown(el) && isNear(el))
    .find((el) => /^[ap]m$/i.test((el.textContent || '').trim()));

  if (question === 'describe') return describe();
  if (question === 'format') return { text: formatted(details.format, details.moment) };
  if (question === 'shows') return shows(details);
  if (question === 'focusPart') {
    sections()[details].focus();
    return {};
  }
  if (question === 'field') return { point: __boathook.centreInView(dateInput()) };
  if (question === 'parts') return { held: sections().map((el) => held(el, partOf(el))) };
  if (question === 'opener') return opener();
  if (question === 'confirmer') return confirmer();
  if (question === 'clock') {
    const half = halfButton();
    return { parts: clockInputs().map(({ part }) => part), half: half ? half.textContent.trim().toLowerCase() : '' };
  }
  if (question === 'focusClock') {
    const input = clockInputs()[details];
    if (input) {
      input.el.focus({ preventScroll: true });
      input.el.select();
    }
    return { found: Boolean(input) };
  }
  if (question === 'half') return { point: __boathook.centreInView(halfButton()) };
  if (question === 'selectField') {
    dateInput().focus({ preventScroll: true });
    dateInput().select();
    return {};
  }
  if (question === 'inDialog') return { inside: field.closest('dialog, [role=dialog], [aria-modal=true]') !== null };
  return {};
})
