import type { ByteSource } from '../byte-source.ts';
import { addressLengthMax, countKeptText, type InflateBudget, refuseManyRecords } from '../limits.ts';
import { createTagHandler, readPart } from '../xml/read-part.ts';
import type { XmlHandler } from '../xml/xml-scanner.ts';
import { normalizeName, type ZipEntry } from '../zip/directory.ts';
import { readEntryBytes } from '../zip/entry.ts';

export class Package {
  private readonly byName = new Map<string, ZipEntry>();
  private readonly source: ByteSource;
  private readonly budget: InflateBudget;

  constructor(source: ByteSource, entries: readonly ZipEntry[], budget: InflateBudget) {
    this.source = source;
    this.budget = budget;
    for (const entry of entries) {
      const name = normalizeName(entry.name);
      // Like Excel, use the first of two parts with the same name.
      if (!this.byName.has(name)) this.byName.set(name, entry);
    }
  }

  entry(part: string): ZipEntry | undefined {
    return this.byName.get(normalizeName(part));
  }

  /** Yields a part's bytes, or nothing if the part does not exist. */
  async *bytes(part: string): AsyncGenerator<Uint8Array> {
    const entry = this.entry(part);
    if (entry) yield* readEntryBytes(this.source, entry, this.budget);
  }

  /** Reads a part. Returns false if the part does not exist. */
  async read(part: string, handler: XmlHandler): Promise<boolean> {
    if (!this.entry(part)) return false;
    await readPart(this.bytes(part), handler);
    return true;
  }

  readTags(part: string, ...handlers: Parameters<typeof createTagHandler>): Promise<boolean> {
    return this.read(part, createTagHandler(...handlers));
  }

  /** Returns a text that the caller keeps in memory, after counting the text against the budget. */
  kept(text: string): string {
    countKeptText(this.budget, text);
    return text;
  }

  /** Reads the relations of a part, keyed by relation id. */
  async relations(part: string): Promise<Map<string, Relation>> {
    const found = new Map<string, Relation>();
    await this.readTags(relationsOf(part), (name, tag) => {
      if (name !== 'Relationship') return;
      const [id, target] = [tag.attribute('Id'), tag.attribute('Target')];
      if (id === null || target === null) return;
      const type = tag.attribute('Type')?.split('/').at(-1) ?? '';
      if (id.length + type.length + target.length > addressLengthMax) return;
      refuseManyRecords(found.size);
      const isExternal = tag.attribute('TargetMode') === 'External';
      const own = this.kept(isExternal ? target : resolved(part, target));
      found.set(this.kept(id), { type, target: own, isExternal });
    });
    return found;
  }
}

/** A relation. `type` is the last segment of the type's URL, which is the same in both namespaces. */
export type Relation = { type: string; target: string; isExternal: boolean };

/** Returns the name of the part that lists the relations of `part`. */
function relationsOf(part: string): string {
  const nameAt = part.lastIndexOf('/') + 1;
  return `${part.slice(0, nameAt)}_rels/${part.slice(nameAt)}.rels`;
}

function resolved(part: string, target: string): string {
  const address = target.replaceAll('\\', '/');
  const folders = address.startsWith('/') ? [] : part.split('/').slice(0, -1);
  for (const step of address.split('/')) {
    if (step === '..') folders.pop();
    else if (step !== '' && step !== '.') folders.push(step);
  }
  return folders.join('/');
}
