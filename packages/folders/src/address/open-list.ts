import type { ListAddress, ListSignIn } from '@draftshelf/domain/suppliers/list-address';
import { openWebList, type WebOptions } from './open-web-list.ts';
import type { ListVersion, OpenedList } from './opened-list.ts';

export type OpenOptions = WebOptions & {
  /** The origin of Google Sheets; absent: Google's. */
  sheetsAt?: string;
};

export type ListRequest = {
  address: ListAddress;
  signIn: ListSignIn;
  /** sftp: the key that the server must show; null: any, which is returned. */
  hostKey: string | null;
  known: ListVersion;
  signal: AbortSignal;
};

/** Begins to read the list at an address. Throws ListUnreadable, or the signal's reason. */
export async function openList(request: ListRequest, options: OpenOptions): Promise<OpenedList> {
  return openWebList(request, options);
}
