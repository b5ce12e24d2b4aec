import { SaxesParser } from 'saxes';
import { type XmlHandler, XmlScanner } from '../xml/xml-scanner.ts';

/** A tag with its attributes, or the text between two tags. */
type XmlEvent = readonly [kind: 'open' | 'close' | 'text', text: string, attributes?: Record<string, string>];

const decoder = new TextDecoder();

/** Events of the product's scanner for pieces of `pieceBytes`, with these attributes. */
export function eventsOf(bytes: Uint8Array, pieceBytes: number, attributes: readonly string[]): XmlEvent[] {
  const events: XmlEvent[] = [];
  let pending: number[] = [];
  const flush = () => {
    if (pending.length > 0) events.push(['text', decoder.decode(Uint8Array.from(pending))]);
    pending = [];
  };
  const handler: XmlHandler = {
    wantsText: true,
    open(name, tag) {
      flush();
      const found = attributes.flatMap((key) => {
        const value = tag.attribute(key);
        return value === null ? [] : [[key, value]];
      });
      events.push(['open', name, Object.fromEntries(found)]);
    },
    close(name) {
      flush();
      events.push(['close', name]);
    },
    text(from, start, end) {
      for (let at = start; at < end; at += 1) pending.push(from[at] as number);
    },
  };
  const scanner = new XmlScanner(handler);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    scanner.push(bytes.subarray(at, at + pieceBytes));
    scanner.run();
  }
  scanner.end();
  flush();
  return events;
}

/** Events of saxes. Throws if the text is not well-formed. */
export function eventsOfSaxes(text: string, attributes: readonly string[]): XmlEvent[] {
  const events: XmlEvent[] = [];
  const parser = new SaxesParser({ xmlns: false });
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  let pending = '';
  const flush = () => {
    if (pending !== '') events.push(['text', pending]);
    pending = '';
  };
  const addText = (found: string) => {
    pending += found;
  };
  parser.on('opentag', ({ name, attributes: all }) => {
    flush();
    const named = Object.entries(all as Record<string, string>).map(
      ([key, value]) => [local(key), value] as const,
    );
    // Of two attributes with one name but different prefixes, the first counts.
    const found = attributes.flatMap((key) => named.filter(([name]) => name === key).slice(0, 1));
    events.push(['open', local(name), Object.fromEntries(found)]);
  });
  parser.on('closetag', ({ name }) => {
    flush();
    events.push(['close', local(name)]);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  flush();
  return events;
}
