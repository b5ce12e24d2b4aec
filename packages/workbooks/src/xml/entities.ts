import { damaged } from '../container-error.ts';

const named: Readonly<Record<string, number>> = { amp: 0x26, lt: 0x3c, gt: 0x3e, quot: 0x22, apos: 0x27 };
const encoder = new TextEncoder();

/** The text of an entity, named without `&` and `;`: one of five, or a number. Others need a document type. */
export function entityBytes(name: string): Uint8Array {
  const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? [];
  const code = Object.hasOwn(named, name)
    ? (named[name] as number)
    : Number.parseInt(hex ?? decimal ?? '', hex ? 16 : 10);
  if (Number.isNaN(code) || code > 0x10ffff || code === 0)
    throw damaged('a part of it has an unknown entity');
  return encoder.encode(String.fromCodePoint(code));
}
