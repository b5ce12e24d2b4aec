import { asUtf8 } from './as-utf8.ts';
import { type XmlHandler, XmlScanner } from './xml-scanner.ts';

export const onTags = (open: XmlHandler['open'], close: XmlHandler['close'] = () => {}): XmlHandler => ({
  open,
  close,
  text: () => {},
  wantsText: false,
});

/** Reads a part until its handler pauses. */
export async function readPart(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  const scanner = new XmlScanner(handler);
  for await (const chunk of asUtf8(chunks)) {
    scanner.push(chunk);
    if (scanner.run()) return;
  }
  scanner.end();
}
