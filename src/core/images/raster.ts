/** Recognizes PNG and JPEG files by their content, and reads their size in pixels from the header. */

export interface RasterImage {
  type: 'image/png' | 'image/jpeg'
  width: number
  height: number
}

/** Null if the content is neither, or its header is damaged. */
export function readRaster(bytes: Buffer): RasterImage | null {
  return readPng(bytes) ?? readJpeg(bytes)
}

const PNG_START = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1')

function readPng(bytes: Buffer): RasterImage | null {
  if (bytes.length < PNG_START.length + 8 || !bytes.subarray(0, PNG_START.length).equals(PNG_START))
    return null
  const width = bytes.readUInt32BE(PNG_START.length)
  const height = bytes.readUInt32BE(PNG_START.length + 4)
  return { type: 'image/png', width, height }
}

/** Markers without a length: TEM, and RST0 to EOI. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9)

/** SOF0 to SOF15, without DHT, JPG and DAC, which are in the same range. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Segments begin with 0xFF, a marker and a length. The size is in the frame header, before the image data. */
function readJpeg(bytes: Buffer): RasterImage | null {
  if (bytes.length < 4 || bytes.readUIntBE(0, 3) !== 0xffd8ff) return null
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    // Any number of 0xFF can stand before a marker.
    if (marker === 0xff) at += 1
    else if (isBare(marker)) at += 2
    else if (isFrame(marker)) {
      return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    } else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}
