import { BodyTooLarge, readBody } from '@draftshelf/runtime/read-body';
import { unexpectedReply } from './store-errors.ts';

/** The longest replies, those of reading many products, have less than 4 MB. */
const bytesMax = 16 * 1024 * 1024;

/** The body of a reply of the store. Throws StoreRefused over 16 MB. */
export const replyText = (response: Response): Promise<string> =>
  readBody(response.body, bytesMax).catch((error) => {
    if (!(error instanceof BodyTooLarge)) throw error;
    throw unexpectedReply(`The reply has more than ${bytesMax} bytes.`, 'REPLY_TOO_LARGE');
  });
