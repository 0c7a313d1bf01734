// Whether two encoded pictures look the same: no channel of any pixel differs by more than the last bits.

(async (first, second, tolerance) => {
  const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const pixelsOf = async (text) => {
    const image = await createImageBitmap(new Blob([bytesOf(text)]));
    const surface = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true });
    surface.drawImage(image, 0, 0);
    return surface.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await pixelsOf(first), await pixelsOf(second)];
  if (a.width !== b.width || a.height !== b.height) return false;
  for (let i = 0; i < a.data.length; i++) {
    const off = a.data[i] - b.data[i];
    if (off > tolerance || off < -tolerance) return false;
  }
  return true;
})
