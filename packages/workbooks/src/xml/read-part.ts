import { joinBytes } from '@draftshelf/csv/joined';
import { damagedError } from '../container-error.ts';
import { type XmlHandler, XmlScanner } from './xml-scanner.ts';

export const createTagHandler = (
  open: XmlHandler['open'],
  close: XmlHandler['close'] = () => {},
): XmlHandler => ({
  open,
  close,
  text: () => {},
  wantsText: false,
});

/** Reads a part until its end or until the handler pauses. */
export async function readPart(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  const scanner = new XmlScanner(handler);
  for await (const chunk of toUtf8(chunks)) {
    scanner.push(chunk);
    if (scanner.run()) return;
  }
  scanner.end();
}

const declared = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/;
const headBytes = 200;

/** Converts a part to UTF-8 without a byte order mark. */
export async function* toUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let head: Uint8Array | null = new Uint8Array(0);
  let decoder: TextDecoder | null = null;
  for await (const chunk of chunks) {
    let bytes = chunk;
    if (head !== null) {
      head = joinBytes([head, chunk]);
      if (head.length < headBytes && !head.includes(0x3e)) continue;
      decoder = decoderOf(head);
      bytes = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
      head = null;
    }
    yield decoder ? encoder.encode(decoder.decode(bytes, { stream: true })) : bytes;
  }
  if (head !== null && head.length > 0) yield head;
}

function decoderOf(head: Uint8Array): TextDecoder | null {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0))
    return new TextDecoder('utf-16le');
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c))
    return new TextDecoder('utf-16be');
  const label = declared
    .exec(new TextDecoder('latin1').decode(head.subarray(0, headBytes)))?.[1]
    ?.toLowerCase();
  // If a declaration of UTF-16 is readable as ASCII, the part is in fact in UTF-8.
  if (label === undefined || /^(?:utf-?8|utf-?16|us-ascii|ascii)/.test(label)) return null;
  try {
    return new TextDecoder(label);
  } catch {
    throw damagedError(`a part of it is in the unknown encoding ‘${label}’`);
  }
}
