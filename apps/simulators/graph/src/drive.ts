import { createHash, randomUUID } from 'node:crypto';
import { quickXorHashOf } from './quick-xor-hash-of.ts';

/** An item of the simulated drive. `remote`: a shortcut to another drive; `pending`: still being received. */
export type Item = {
  id: string;
  name: string;
  parentId: string | null;
  isFolder: boolean;
  bytes: Buffer;
  modifiedAt: Date;
  /** Of its content. */
  hash: string;
  eTag: string;
  pending: boolean;
  remote: boolean;
  notebook: boolean;
};

/** Changes of items, oldest first. `parents`: all folders of the item before and after the change. */
type Change = { number: number; id: string; parents: string[] };

export type Drive = ReturnType<typeof createDrive>;

export const driveId = 'b!simulated-drive';
const rootId = 'root-item';

/** A drive in memory: folders and files by id, and their changes by number. */
export function createDrive() {
  const items = new Map<string, Item>();
  const changes: Change[] = [];
  const root: Item = itemOf({ id: rootId, name: 'root', parentId: null, isFolder: true });
  items.set(rootId, root);

  const parentsOf = (id: string): string[] => {
    const parents: string[] = [];
    for (let at = items.get(id); at; at = at.parentId === null ? undefined : items.get(at.parentId)) {
      parents.push(at.id);
    }
    return parents;
  };
  const note = (id: string, before: string[]) => {
    const item = items.get(id);
    if (item) item.eTag = `"{${item.id}},${changes.length + 1}"`;
    changes.push({ number: changes.length + 1, id, parents: [...before, ...parentsOf(id)] });
  };
  const childrenOf = (id: string) => [...items.values()].filter(({ parentId }) => parentId === id);
  const childOf = (id: string, name: string) =>
    childrenOf(id).find((child) => child.name.toLowerCase() === name.toLowerCase());

  return {
    items,
    root,
    childOf,
    /** The item at a path; undefined: there is none. */
    at(path: string): Item | undefined {
      const names = path.split('/').filter((name) => name !== '');
      return names.reduce<Item | undefined>((at, name) => at && childOf(at.id, name), root);
    },
    makeFolder(parentId: string, name: string): Item {
      const item = itemOf({ name, parentId, isFolder: true });
      items.set(item.id, item);
      note(item.id, []);
      return item;
    },
    /** Puts a file into a folder, or new contents into the file of that name. */
    put(parentId: string, name: string, file: Partial<Item> & { bytes: Buffer }): Item {
      const existing = childOf(parentId, name);
      const before = existing ? parentsOf(existing.id) : [];
      const modifiedAt = file.modifiedAt ?? new Date();
      const item = itemOf({
        ...existing,
        ...file,
        modifiedAt,
        name,
        parentId,
        hash: quickXorHashOf(file.bytes),
      });
      items.set(item.id, item);
      note(item.id, before);
      return item;
    },
    change(id: string, changed: Partial<Pick<Item, 'name' | 'parentId' | 'pending'>>): Item {
      const item = items.get(id);
      if (!item) throw new Error(`No item ${id}`);
      const before = parentsOf(id);
      Object.assign(item, changed);
      note(id, before);
      return item;
    },
    remove(id: string): void {
      const before = parentsOf(id);
      for (const child of childrenOf(id)) this.remove(child.id);
      items.delete(id);
      note(id, before);
    },
    lastChange: () => changes.length,
    /** Ids of items that changed between two numbers below a folder, in the order of their last change. */
    changedIn(folderId: string, after: number, until: number): string[] {
      const ids = new Set<string>();
      for (const { id, number, parents } of changes) {
        if (number <= after || number > until || !parents.includes(folderId)) continue;
        ids.delete(id);
        ids.add(id);
      }
      return [...ids];
    },
    isIn: (id: string, folderId: string) => parentsOf(id).includes(folderId),
  };
}

function itemOf(item: Partial<Item> & Pick<Item, 'name' | 'parentId'>): Item {
  return {
    id: randomUUID().toUpperCase(),
    isFolder: false,
    bytes: Buffer.alloc(0),
    modifiedAt: new Date(),
    hash: '',
    eTag: '',
    pending: false,
    remote: false,
    notebook: false,
    ...item,
  };
}

/** An item in Graph's words. */
export function describe(item: Item, { withoutHashes }: { withoutHashes: boolean }): object {
  const { id, name, parentId, isFolder, bytes, modifiedAt, hash, eTag, pending, remote, notebook } = item;
  const file = { mimeType: 'text/csv', ...(withoutHashes ? {} : { hashes: { quickXorHash: hash } }) };
  return {
    id,
    name,
    size: bytes.length,
    eTag,
    cTag: createHash('md5').update(`${id}${hash}`).digest('hex'),
    lastModifiedDateTime: modifiedAt.toISOString(),
    parentReference: { driveId, driveType: 'business', ...(parentId === null ? {} : { id: parentId }) },
    ...(isFolder ? { folder: { childCount: 0 } } : notebook ? { package: { type: 'oneNote' } } : { file }),
    ...(pending ? { pendingOperations: { pendingContentUpdate: { queuedDateTime: modifiedAt } } } : {}),
    ...(remote ? { remoteItem: { id, name, ...(isFolder ? { folder: {} } : { file }) } } : {}),
  };
}
