// The word that a person would use for a colour.

const HUES = [[15, 'red'], [42, 'orange'], [68, 'yellow'], [165, 'green'], [195, 'turquoise'], [258, 'blue'], [292, 'purple'],
  [340, 'pink'], [361, 'red']];
const GRAYS = [[0.12, 'black'], [0.35, 'dark gray'], [0.7, 'gray'], [0.94, 'light gray'], [1.01, 'white']];
const LEAST_CHROMA = 0.12;
const upTo = (table, value) => table.find(([limit]) => value < limit)[1];

const hueOf = ([red, green, blue], most, chroma) => {
  if (most === red) return (60 * ((green - blue) / chroma) + 360) % 360;
  return most === green ? 60 * ((blue - red) / chroma) + 120 : 60 * ((red - green) / chroma) + 240;
};

const hueWord = (hue, light) => {
  const word = upTo(HUES, hue);
  if (word === 'orange' && light < 0.4) return 'brown';
  return light > 0.8 ? `light ${word}` : light < 0.3 ? `dark ${word}` : word;
};

// Empty for what is not painted; gradients and patterns have no single word.
const colourWord = (text) => {
  if (text.startsWith('url(')) return 'gradient';
  const colour = colourOf(text);
  if (!colour || colour[3] < FAINT) return '';
  const parts = colour.slice(0, 3).map((part) => part / 255);
  const [most, least] = [Math.max(...parts), Math.min(...parts)];
  const chroma = most - least;
  return chroma < LEAST_CHROMA ? upTo(GRAYS, (most + least) / 2) : hueWord(hueOf(parts, most, chroma), (most + least) / 2);
};
