import { openSftpList } from './open-sftp-list.ts';
import { openWebList } from './open-web-list.ts';
import type { ListRequest, OpenedList, OpenOptions } from './opened-list.ts';

/** Begins to read the list at an address. Throws ListUnreadable, or the signal's reason. */
export const openList = (request: ListRequest, options: OpenOptions): Promise<OpenedList> =>
  request.address.kind === 'sftp' ? openSftpList(request, options) : openWebList(request, options);
