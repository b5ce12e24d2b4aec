/** A supplier that is being merged into the supplier `into`, or deleted if `into` is null. */
export type LeavingSupplier = { id: number; name: string; into: { id: number; name: string } | null };

/** Returns a sentence like 'Beta is being merged into Acme. Wait until that has ended.' */
export const leavingSentence = ({ name, into }: LeavingSupplier): string =>
  `${name} is being ${into ? `merged into ${into.name}` : 'deleted'}. Wait until that has ended.`;

/** A list on which work is in progress. Meanwhile, the items of its supplier must not change. */
export type BusyList = { filename: string; work: 'read' | 'pushed' | 'counted' | 'kept' | 'deleted' };

const works: Record<BusyList['work'], string> = {
  read: 'is being read',
  pushed: 'is being pushed',
  counted: 'is being made the latest list',
  kept: 'is still being stored',
  deleted: 'is being deleted',
};

/** Returns why a supplier can be neither merged nor deleted, as a sentence. */
export const busyListSentence = ({ filename, work }: BusyList): string =>
  `${filename} ${works[work]}. Wait until that has ended.`;
