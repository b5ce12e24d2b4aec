/** Maximum depth. Browsers stop at a depth of 512, part of which the page around a description needs. */
const depthMax = 256;

const namesOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Elements that browsers reopen if the block in which they were left open ends. */
const formatting = namesOf('a b code em font i s small strike strong u');
const headings = namesOf('h1 h2 h3 h4 h5 h6');
const cells = namesOf('td th caption');
/** Inside these elements, no end tag ends an element around them. */
const boundaries = namesOf('table td th caption');
const afterParagraph = namesOf(
  `address article aside blockquote center details dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup
  hr li main menu nav ol p pre section summary table ul`,
);
/** The end tag of a 'span' or similar element ends nothing beyond these elements. */
const special = afterParagraph.union(namesOf('caption colgroup iframe tbody td tfoot th thead tr'));
const sections = 'tbody thead tfoot tr td th caption colgroup';
/** Open elements that a start tag inside a table ends, by the tag's name. */
const endedInTable: Readonly<Record<string, ReadonlySet<string>>> = {
  td: namesOf('td th caption colgroup'),
  th: namesOf('td th caption colgroup'),
  tr: namesOf('tr td th caption colgroup'),
  tbody: namesOf(sections),
  thead: namesOf(sections),
  tfoot: namesOf(sections),
  caption: namesOf(sections),
  colgroup: namesOf(sections),
  col: namesOf('tbody thead tfoot tr td th caption'),
};
const listItems: Readonly<Record<string, ReadonlySet<string>>> = {
  li: namesOf('li'),
  dd: namesOf('dd dt'),
  dt: namesOf('dd dt'),
};
const insideListItems = namesOf('address div p');

/** `depth`: number of open elements around this one. `isCell`: a cell, in which earlier formatting is not reopened. */
type Formatting = { name: string; depth: number; isOpen: boolean; isCell: boolean };

/** Tracks open elements as a browser does, so that a description closes nothing around it and leaves nothing open. */
export class OpenElements {
  #open: string[] = [];
  #formatting: Formatting[] = [];

  /** Returns false if the tag is to be left out, because browsers ignore it or the element would be too deep. */
  start(name: string, isVoid: boolean): boolean {
    if (!this.#endImplied(name)) return false;
    if (isVoid) {
      if (name !== 'hr' && name !== 'col') this.text();
      return true;
    }
    if (this.#open.length + this.#formatting.length >= depthMax) return false;
    if (formatting.has(name)) {
      if (name === 'a') this.#endFormatting('a');
      this.text();
      this.#formatting.push({ name, depth: this.#open.length, isOpen: true, isCell: false });
      return true;
    }
    if (!special.has(name)) this.text();
    if (cells.has(name))
      this.#formatting.push({ name, depth: this.#open.length, isOpen: true, isCell: true });
    this.#open.push(name);
    return true;
  }

  /** Returns false if browsers ignore the end tag or it would end an element of the page around the description. */
  end(name: string): boolean {
    if (formatting.has(name)) return this.#endFormatting(name);
    const at = this.#placeOf(name);
    if (at >= 0) this.#endFrom(at);
    return at >= 0;
  }

  /** Reopens formatting that was left open in an ended block, because it also applies to the text after the block. */
  text(): void {
    const cell = this.#formatting.findLastIndex((one) => one.isCell);
    for (const one of this.#formatting.slice(cell + 1)) {
      if (!one.isOpen) one.depth = this.#open.length;
      one.isOpen = true;
    }
  }

  endTags(): string {
    const blocks = this.#open.filter((name) => !(name in listItems || name in endedInTable || name === 'p'));
    const rest = this.#formatting.filter(({ isCell }) => !isCell).map(({ name }) => name);
    return [...blocks.reverse(), ...rest.reverse()].map((name) => `</${name}>`).join('');
  }

  /** Ends elements that `name` implicitly ends. Returns false if `name` belongs in a table and no table is open. */
  #endImplied(name: string): boolean {
    const inTable = endedInTable[name];
    const table = this.#open.lastIndexOf('table');
    if (inTable) {
      if (table < 0) return false;
      const at = this.#open.findIndex((one, place) => place > table && inTable.has(one));
      if (at >= 0) this.#endFrom(at);
      // A cell outside of a row starts a new row.
      const isCell = name === 'td' || name === 'th';
      if (isCell && this.#open.lastIndexOf('tr') < table) this.#open.push('tr');
      return true;
    }
    if (name === 'table' && table >= 0 && !this.#open.some((one, at) => at > table && cells.has(one))) {
      this.#endFrom(table);
    }
    const items = listItems[name];
    if (items) {
      const at = this.#open.findLastIndex(
        (one) => items.has(one) || (special.has(one) && !insideListItems.has(one)),
      );
      if (at >= 0 && items.has(this.#open[at] as string)) this.#endFrom(at);
    }
    if (afterParagraph.has(name)) this.end('p');
    if (!headings.has(name)) return true;
    const last = this.#open.length - 1;
    const isLast = this.#formatting.every((one) => one.isCell || !one.isOpen || one.depth <= last);
    if (isLast && headings.has(this.#open[last] ?? '')) this.#endFrom(last);
    return true;
  }

  #placeOf(name: string): number {
    const open = this.#open;
    if (name === 'table') return open.lastIndexOf('table');
    if (name in endedInTable) {
      const at = open.lastIndexOf(name);
      return at > open.lastIndexOf('table') ? at : -1;
    }
    // Most end tags, even implied ones, end nothing. This check keeps deep nesting fast.
    if (!headings.has(name) && !open.includes(name)) return -1;
    const isIt = headings.has(name) ? (one: string) => headings.has(one) : (one: string) => one === name;
    const isEnd = (one: string): boolean => {
      if (!special.has(name)) return special.has(one);
      return boundaries.has(one) || (name === 'li' && (one === 'ul' || one === 'ol'));
    };
    const at = open.findLastIndex((one) => isIt(one) || isEnd(one));
    return at >= 0 && isIt(open[at] as string) ? at : -1;
  }

  #endFormatting(name: string): boolean {
    const at = this.#formatting.findLastIndex((one) => one.isCell || one.name === name);
    const found = this.#formatting[at];
    if (!found || found.isCell) return false;
    if (found.isOpen) {
      const inside = this.#open.slice(found.depth);
      if (inside.some((one) => boundaries.has(one))) return false;
      if (!inside.some((one) => special.has(one))) this.#endFrom(found.depth);
    }
    this.#formatting = this.#formatting.filter((one) => one !== found);
    return true;
  }

  /** Ends an element and all inside it. Formatting inside it continues in the following text, except in cells. */
  #endFrom(place: number): void {
    this.#open.length = Math.min(this.#open.length, place);
    const cell = this.#formatting.findIndex((one) => one.isCell && one.depth >= place);
    if (cell >= 0) this.#formatting.length = cell;
    for (const one of this.#formatting) if (one.depth > place) one.isOpen = false;
  }
}
