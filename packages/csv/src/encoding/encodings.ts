import { dosCodePages } from './dos-pages.ts';

/** Encodings with one byte per character and ASCII in the lower half. Their files are scanned without a transcript. */
export const singleByteEncodings = [
  ...['windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255'],
  ...['windows-1256', 'windows-1257', 'windows-1258', 'windows-874'],
  ...['iso-8859-1', 'iso-8859-2', 'iso-8859-3', 'iso-8859-4', 'iso-8859-5', 'iso-8859-6', 'iso-8859-7'],
  ...['iso-8859-8', 'iso-8859-10', 'iso-8859-13', 'iso-8859-14', 'iso-8859-15', 'iso-8859-16'],
  ...['macintosh', 'x-mac-cyrillic', 'koi8-r', 'koi8-u', 'ibm866', 'cp437', 'cp850', 'cp852', 'cp857'],
] as const;

/** Encodings in which ASCII bytes may be parts of other characters. Their files are scanned as a UTF-8 transcript. */
export const transcribedEncodings = [
  ...['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'],
  ...['shift_jis', 'gb18030', 'big5', 'euc-kr', 'euc-jp'],
] as const;

export const encodings = ['utf-8', ...singleByteEncodings, ...transcribedEncodings] as const;

export type Encoding = (typeof encodings)[number];
export type SingleByteEncoding = (typeof singleByteEncodings)[number];
export type TranscribedEncoding = (typeof transcribedEncodings)[number];

/** Whether a UTF-8 transcript is scanned instead of the file's own bytes. */
export function isTranscribed(encoding: Encoding): encoding is TranscribedEncoding {
  return (transcribedEncodings as readonly string[]).includes(encoding);
}

/** Decodes scanned bytes. Invalid bytes become U+FFFD. With `singleByte`, the text has one UTF-16 unit per byte. */
export type TextReader = { singleByte: boolean; read(bytes: Uint8Array): string };

/** Returns a reader for the scanned bytes of a file or of its transcript. Never throws. */
export function createTextReader(encoding: Encoding): TextReader {
  if (encoding === 'utf-8' || isTranscribed(encoding)) {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    return { singleByte: false, read: (bytes) => decoder.decode(bytes) };
  }
  const page = Object.entries(dosCodePages).find(([name]) => name === encoding)?.[1];
  if (page !== undefined) return { singleByte: true, read: (bytes) => readDosPage(bytes, page) };
  const decoder = new TextDecoder(encoding);
  return { singleByte: true, read: (bytes) => decoder.decode(bytes) };
}

const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true });

function readDosPage(bytes: Uint8Array, page: string): string {
  const units = new Uint16Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    units[at] = byte < 0x80 ? byte : page.charCodeAt(byte - 0x80);
  }
  return utf16.decode(units);
}
