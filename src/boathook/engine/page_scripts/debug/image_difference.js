// The share of pixels in which two encoded images differ by more than the tolerance in a channel.

(async (first, second, tolerance) => {
  const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const pixelsOf = async (text) => {
    const image = await createImageBitmap(new Blob([bytesOf(text)]));
    const surface = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true });
    surface.drawImage(image, 0, 0);
    return surface.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await pixelsOf(first), await pixelsOf(second)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let differing = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    for (let channel = i; channel < i + 4; channel++) {
      const off = a.data[channel] - b.data[channel];
      if (off > tolerance || off < -tolerance) { differing++; break; }
    }
  }
  return differing / (a.width * a.height);
})
