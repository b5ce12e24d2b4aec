import type { ListAddress, ListSignIn } from '@draftshelf/domain/suppliers/list-address';
import type { GuardedConnect } from '@draftshelf/runtime/guarded-fetch';
import { openSftpList } from './open-sftp-list.ts';
import { openWebList, type WebOptions } from './open-web-list.ts';
import type { ListVersion, OpenedList } from './opened-list.ts';

export type OpenOptions = WebOptions & {
  connect: GuardedConnect;
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
export const openList = (request: ListRequest, options: OpenOptions): Promise<OpenedList> =>
  request.address.kind === 'sftp' ? openSftpList(request, options) : openWebList(request, options);
