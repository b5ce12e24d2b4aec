/** What a file is that is no CSV, in a plain sentence. */
type Refusal = {
  sentence: string;
  /** No encoding and no delimiter makes a table of it. */
  isOtherFormat: boolean;
};

/** Thrown for a file that is no CSV at all; the message is a plain sentence that says what it is. */
export class NotCsvError extends Error {
  readonly isOtherFormat: boolean;

  constructor({ sentence, isOtherFormat }: Refusal) {
    super(sentence);
    this.name = 'NotCsvError';
    this.isOtherFormat = isOtherFormat;
  }
}

/** How other kinds of files begin. */
const beginnings: readonly [readonly number[], string][] = [
  [
    [0x50, 0x4b, 0x03, 0x04],
    'This is an Excel workbook or another ZIP archive, not a CSV file. Save it as CSV and upload that.',
  ],
  [[0x50, 0x4b, 0x05, 0x06], 'This is an empty ZIP archive, not a CSV file.'],
  [
    [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
    'This is an old Excel workbook, not a CSV file. Save it as CSV and upload that.',
  ],
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
  [[0x25, 0x50, 0x44, 0x46, 0x2d], 'This is a PDF document, not a CSV file.'],
  [[0x89, 0x50, 0x4e, 0x47], 'This is a PNG image, not a CSV file.'],
  [[0xff, 0xd8, 0xff], 'This is a JPEG image, not a CSV file.'],
  [[0x47, 0x49, 0x46, 0x38], 'This is a GIF image, not a CSV file.'],
  [[0x7f, 0x45, 0x4c, 0x46], 'This is a program, not a CSV file.'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66], 'This is an SQLite database, not a CSV file.'],
  [[0x50, 0x41, 0x52, 0x31], 'This is a Parquet file, not a CSV file.'],
];

/** How texts begin that are no tables, behind a mark of UTF-8 and white space. Of a description only its cell does. */
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

/** More NULs than this among the bytes of a head, in no order as UTF-16 has, are no text; nor are more controls. */
const nulShareMax = 0.3;
const controlShareMax = 0.03;

/**
 * Says what a file is if its head shows that it is no CSV; null if it may be one. `holdsNuls`: its encoding writes them
 * as parts of characters.
 */
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
    const sentence = 'The file holds nothing but NUL bytes. It was damaged on its way; export it again.';
    return { sentence, isOtherFormat: true };
  }
  const isBinary = nuls > head.length * nulShareMax || controls > 1 + head.length * controlShareMax;
  return isBinary ? { sentence: 'This is a binary file, not a CSV file.', isOtherFormat: false } : null;
}

/** Tab, line ends, the end mark of old files, and controls that serve as delimiters or begin escapes. */
const textControls: readonly number[] = [1, 9, 10, 11, 12, 13, 26, 27, 28, 29, 30, 31];
