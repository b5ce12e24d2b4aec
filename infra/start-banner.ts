import path from 'node:path';
import { accessKeyFile, type Started } from './start.ts';

/**
 * The text with which `npm start` says that it is ready. It has a generated access key only for a terminal: other
 * output is kept in journals and logs, so it names the key's file.
 */
export function startBanner(
  { config, dataDir, keys, storeUrl, watched }: Started,
  { isTerminal }: { isTerminal: boolean },
): string {
  const file = accessKeyFile(dataDir);
  const key = {
    made: isTerminal ? `${keys.accessKey}   (kept in ${file})` : `in ${file}`,
    given: 'the one in ACCESS_KEY',
    none: 'none: anyone who can reach this machine’s port may use it',
  };
  const keyLine =
    config.ACCESS_KEY === undefined ? key.made : config.ACCESS_KEY === '' ? key.none : key.given;
  const tryIt = watched.sample === null ? '' : `, then copy ${watched.sample} into it`;
  const page = `http://localhost:${config.PORT}`;
  return `
  Draftshelf
    Page        ${config.PUBLIC_URL}
    Access key  ${keyLine}
    Data        ${dataDir}   (logs in ${path.join(dataDir, 'logs')})
    ${config.SHOPIFY_STORE_URL === undefined ? `Demo store  ${storeUrl}   (simulated; connect your own in Settings)` : `Store       ${storeUrl}`}
    Folder      ${watched.folder}   (turn monitoring on in Settings › OneDrive${tryIt})
    Queues      ${page}/admin/queues   (Bull Board${config.ACCESS_KEY === '' ? '' : ', behind the access key'})
`;
}
