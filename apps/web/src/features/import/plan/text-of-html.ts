const blocks = 'p, div, li, br, tr, h1, h2, h3, h4, h5, h6, ul, ol, table';

/** The text of HTML, with a line for each block. Nothing of it is loaded or run. */
export function textOfHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const block of body.querySelectorAll(blocks)) block.after('\n');
  return (body.textContent ?? '')
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}
