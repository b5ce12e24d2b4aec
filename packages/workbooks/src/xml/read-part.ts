import { asUtf8 } from './as-utf8.ts';
import { type XmlHandler, XmlScanner } from './xml-scanner.ts';

/** A handler of a small part that only looks at opening tags. */
export const onTags = (open: XmlHandler['open'], close: XmlHandler['close'] = () => {}): XmlHandler => ({
  open,
  close,
  text: () => {},
  wantsText: false,
});

/** Reads a whole part, or as far as its handler pauses it. */
export async function readPart(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  const scanner = new XmlScanner(handler);
  for await (const chunk of asUtf8(chunks)) {
    scanner.push(chunk);
    if (scanner.run()) return;
  }
  scanner.end();
}
