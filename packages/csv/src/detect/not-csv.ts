import { otherWorkbooks, saveAsSentence } from './other-workbooks.ts';

type Refusal = { sentence: string; isOtherFormat: boolean };

/** A file that is not CSV. The message is a sentence for the operator. */
export class NotCsvError extends Error {
  readonly isOtherFormat: boolean;

  constructor({ sentence, isOtherFormat }: Refusal) {
    super(sentence);
    this.name = 'NotCsvError';
    this.isOtherFormat = isOtherFormat;
  }
}

const beginnings: readonly [readonly number[], string][] = [
  [
    [0x50, 0x4b, 0x03, 0x04],
    'This is an Excel workbook or another ZIP archive, not a CSV file. Save it as CSV and upload that.',
  ],
  [[0x50, 0x4b, 0x05, 0x06], 'This is an empty ZIP archive, not a CSV file. Choose a CSV file instead.'],
  [[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], saveAsSentence(otherWorkbooks['.xls'])],
  [[0x1f, 0x8b, 0x08], 'This is a gzip archive, not a CSV file. Unpack it and upload the CSV file in it.'],
  [[0x42, 0x5a, 0x68], 'This is a bzip2 archive, not a CSV file. Unpack it and upload the CSV file in it.'],
  [
    [0x28, 0xb5, 0x2f, 0xfd],
    'This is a zstd archive, not a CSV file. Unpack it and upload the CSV file in it.',
  ],
  [
    [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
    'This is a 7z archive, not a CSV file. Unpack it and upload the CSV file in it.',
  ],
  [
    [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07],
    'This is a RAR archive, not a CSV file. Unpack it and upload the CSV file in it.',
  ],
  [[0x25, 0x50, 0x44, 0x46, 0x2d], 'This is a PDF document, not a CSV file. Choose a CSV file instead.'],
  [[0x89, 0x50, 0x4e, 0x47], 'This is a PNG image, not a CSV file. Choose a CSV file instead.'],
  [[0xff, 0xd8, 0xff], 'This is a JPEG image, not a CSV file. Choose a CSV file instead.'],
  [[0x47, 0x49, 0x46, 0x38], 'This is a GIF image, not a CSV file. Choose a CSV file instead.'],
  [[0x7f, 0x45, 0x4c, 0x46], 'This is a program, not a CSV file. Choose a CSV file instead.'],
  [
    [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66],
    'This is an SQLite database, not a CSV file. Export the products as CSV and upload that.',
  ],
  [
    [0x50, 0x41, 0x52, 0x31],
    'This is a Parquet file, not a CSV file. Export the products as CSV and upload that.',
  ],
];

/** Beginnings after a byte order mark and white space. HTML in a description is no problem: it comes later. */
const textBeginnings: readonly [RegExp, string][] = [
  [
    /^<(?:!doctype html|html|head|meta|body|table)[\s>]/i,
    'This is a web page (HTML), not a CSV file. Export the products as CSV and upload that.',
  ],
  [/^<\?xml\s/i, 'This is an XML file, not a CSV file. Export the products as CSV and upload that.'],
  [
    /^(?:\[\s*)?\{\s*"[^"\r\n]*"\s*:/,
    'This is a JSON file, not a CSV file. Export the products as CSV and upload that.',
  ],
];
const textBeginningBytes = 1024;

const nulShareMax = 0.3;
const controlShareMax = 0.03;

/** Returns why a head is not CSV, else null. `holdsNuls`: its encoding has NUL bytes (UTF-16, UTF-32). */
export function notCsv(head: Uint8Array, holdsNuls: boolean): Refusal | null {
  for (const [bytes, sentence] of beginnings) {
    if (bytes.every((byte, at) => head[at] === byte)) return { sentence, isOtherFormat: true };
  }
  if (holdsNuls || head.length < 2) return null;
  const text = new TextDecoder().decode(head.subarray(0, textBeginningBytes)).trimStart();
  for (const [beginning, sentence] of textBeginnings) {
    if (beginning.test(text)) return { sentence, isOtherFormat: true };
  }
  let nuls = 0;
  let controls = 0;
  for (let at = 0; at < head.length; at += 1) {
    const byte = head[at] as number;
    if (byte === 0) nuls += 1;
    else if (byte < 32 && !textControls.includes(byte)) controls += 1;
  }
  if (nuls === head.length) {
    const sentence =
      'The file contains only null bytes. It was probably damaged in transfer; export it again.';
    return { sentence, isOtherFormat: true };
  }
  const isBinary = nuls > head.length * nulShareMax || controls > 1 + head.length * controlShareMax;
  return isBinary
    ? { sentence: 'This is a binary file, not a CSV file. Choose a CSV file instead.', isOtherFormat: false }
    : null;
}

const textControls: readonly number[] = [1, 9, 10, 11, 12, 13, 26, 27, 28, 29, 30, 31];
