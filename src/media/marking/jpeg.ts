/** JPEG: a segment `APP1` by the name of XMP (ISO 16684-3); Content Credentials in `APP11`. */
import { type Container, edit, type Marks } from './containers.ts';

const NAME = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP11 = 0xeb;
const SCAN = 0xda;
/** The length of a segment counts itself, in 16 bits. */
const MOST = 0xffff;

export const jpeg: Container = async file => {
  let packet: Buffer | undefined;
  let place = { at: 2, length: 0 };
  let hasC2pa = false;
  let isWhole = false;
  for (let at = 2; at + 4 <= file.size; ) {
    const head = await file.read(at, 4 + NAME.length);
    const [mark, marker = SCAN] = head;
    if (mark !== 0xff) break;
    if (marker === SCAN) {
      isWhole = true;
      break;
    }
    // Bytes that fill up, before a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = 2 + head.readUInt16BE(2);
    const isXmp = marker === APP1 && head.subarray(4).equals(NAME);
    if (isXmp && !packet) {
      packet = (await file.read(at, length)).subarray(4 + NAME.length);
      place = { at, length };
    }
    hasC2pa ||= marker === APP11 && head.toString('latin1', 4, 6) === 'JP';
    // Readers want JFIF's segment, or EXIF's, to be first.
    const isHead = marker === APP0 || (marker === APP1 && head.toString('latin1', 4, 8) === 'Exif');
    if (!packet && isHead && place.at === at) place = { at: at + length, length: 0 };
    at += length;
  }
  if (!isWhole) return undefined;
  const put: Marks['put'] = xmp => {
    const length = 2 + NAME.length + xmp.length;
    if (length > MOST) return undefined;
    return [edit(place.at, place.length, Buffer.from([0xff, APP1, length >> 8, length & 0xff]), NAME, xmp)];
  };
  return { packet, hasC2pa, put };
};
