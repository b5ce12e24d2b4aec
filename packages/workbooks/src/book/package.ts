import type { ByteSource } from '../byte-source.ts';
import { type InflateBudget, keep } from '../limits.ts';
import { readPart } from '../xml/read-part.ts';
import type { XmlHandler } from '../xml/xml-scanner.ts';
import type { ZipEntry } from '../zip/directory.ts';
import { entryBytes } from '../zip/entry.ts';
import { comparedName } from '../zip/name-text.ts';
import { type Relation, relationReader, relationsOf } from './relations.ts';

export class Package {
  private readonly byName = new Map<string, ZipEntry>();
  private readonly source: ByteSource;
  private readonly budget: InflateBudget;

  constructor(source: ByteSource, entries: readonly ZipEntry[], budget: InflateBudget) {
    this.source = source;
    this.budget = budget;
    for (const entry of entries) {
      const name = comparedName(entry.name);
      // Excel takes the first of equal names too.
      if (!this.byName.has(name)) this.byName.set(name, entry);
    }
  }

  entry(part: string): ZipEntry | undefined {
    return this.byName.get(comparedName(part));
  }

  /** Yields nothing if there is no such part. */
  async *bytes(part: string): AsyncGenerator<Uint8Array> {
    const entry = this.entry(part);
    if (entry) yield* entryBytes(this.source, entry, this.budget);
  }

  /** False without such a part. */
  async read(part: string, handler: XmlHandler): Promise<boolean> {
    if (!this.entry(part)) return false;
    await readPart(this.bytes(part), handler);
    return true;
  }

  /** Counts and returns a text that stays in memory. */
  kept(text: string): string {
    keep(this.budget, text);
    return text;
  }

  async relations(part: string): Promise<Map<string, Relation>> {
    const found = new Map<string, Relation>();
    await this.read(
      relationsOf(part),
      relationReader(part, found, (text) => this.kept(text)),
    );
    return found;
  }
}
