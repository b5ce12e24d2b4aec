import { addressLengthMax, refuseManyRecords } from '../limits.ts';
import { onTags } from '../xml/read-part.ts';
import type { XmlHandler } from '../xml/xml-scanner.ts';

/** `type` is the last word of its address, the same in both namespaces. */
export type Relation = { type: string; target: string; isExternal: boolean };

/** Reads a part's relations by id. `kept` counts texts that stay in memory. */
export function relationReader(
  part: string,
  found: Map<string, Relation>,
  kept: (text: string) => string,
): XmlHandler {
  return onTags((name, tag) => {
    if (name !== 'Relationship') return;
    const [id, target] = [tag.attribute('Id'), tag.attribute('Target')];
    if (id === null || target === null) return;
    const type = tag.attribute('Type')?.split('/').at(-1) ?? '';
    if (id.length + type.length + target.length > addressLengthMax) return;
    refuseManyRecords(found.size);
    const isExternal = tag.attribute('TargetMode') === 'External';
    const own = kept(isExternal ? target : resolved(part, target));
    found.set(kept(id), { type, target: own, isExternal });
  });
}

/** Returns the part that holds the relations of a part. */
export function relationsOf(part: string): string {
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
