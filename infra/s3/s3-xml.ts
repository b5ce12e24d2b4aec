// The few XML documents of the S3 protocol that this server writes and reads.

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes a text for XML. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => escapes[mark] ?? mark);
}

/** An element with a text (which is escaped) or with child elements. */
export function element(name: string, content: string | number | boolean | readonly string[]): string {
  const inner = Array.isArray(content) ? content.join('') : escapeXml(String(content));
  return `<${name}>${inner}</${name}>`;
}

/** A whole document with the S3 namespace. */
export function document(name: string, elements: readonly string[]): string {
  const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="${namespace}">${elements.join('')}</${name}>`;
}

/** The XML inside each element of this name, in order. S3's documents do not nest elements of the same name. */
export function readElements(xml: string, name: string): string[] {
  const pattern = new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g');
  return [...xml.matchAll(pattern)].map((found) => found[1] ?? '');
}

/** The text of the first element of this name, or undefined. */
export function readText(xml: string, name: string): string | undefined {
  const inner = readElements(xml, name)[0];
  return inner === undefined ? undefined : unescapeXml(inner.trim());
}

function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined)
      return Object.keys(escapes).find((mark) => escapes[mark] === `&${name};`) ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
