/** The address of a supplier's list. `url` is fetched. `shown` is displayed, without possible secrets. */
export type ListAddress = {
  kind: 'web' | 'sheet' | 'sftp';
  url: string;
  shown: string;
  /** The host, with its port unless that is the default. */
  host: string;
};

export const listAddressCharsMax = 2_000;
export const signInCharsMax = 10_000;

/** Google serves the export of a shared sheet at this origin, to everybody who has the sheet's link. */
const sheetsOrigin = 'https://docs.google.com';

/**
 * Reads an entered address: https, http, sftp, or the share link of a Google Sheet, for which the sheet's CSV export
 * is fetched. A query is never shown, because it may be a token. Returns a sentence if the address is refused.
 * `sheetsAt` is the origin of Google Sheets.
 */
export function readListAddress(
  entered: string,
  sheetsAt = sheetsOrigin,
): { ok: true; address: ListAddress } | { ok: false; sentence: string } {
  const text = entered.trim();
  if (text.length > listAddressCharsMax) return refused('The address is too long.');
  if (/^ftps?:/i.test(text))
    return refused(
      'FTP sends passwords unencrypted, so it isn’t supported. Ask for an https or sftp address.',
    );
  const url = /^(?:https?|sftp):/i.test(text) ? URL.parse(text) : null;
  if (!url?.hostname) return refused('Enter an address that begins with https:// or sftp://.');
  const { protocol, host, pathname, search } = url;
  if (url.username !== '' || url.password !== '')
    return refused('Enter the user name and the password in their own fields, not in the address.');
  if (protocol === 'sftp:') {
    if (pathname === '' || pathname.endsWith('/')) return refused('Enter the path of the file, too.');
    return { ok: true, address: { kind: 'sftp', url: text, shown: `sftp://${host}${pathname}`, host } };
  }
  const sheet = url.origin === sheetsAt ? sheetExport(url) : null;
  if (sheet) return { ok: true, address: { kind: 'sheet', url: sheet, shown: 'Google Sheet', host } };
  url.hash = '';
  const shown = `${url.origin}${pathname}${search === '' ? '' : '?…'}`;
  return { ok: true, address: { kind: 'web', url: url.href, shown, host } };
}

const refused = (sentence: string) => ({ ok: false, sentence }) as const;

/** Returns the address of a sheet's CSV export, or null if the URL is not a link to a sheet. */
function sheetExport({ origin, pathname, hash, searchParams }: URL): string | null {
  const gid = /gid=(\d+)/.exec(hash)?.[1] ?? searchParams.get('gid');
  const ofTab = gid === null || !/^\d+$/.test(gid) ? '' : `&gid=${gid}`;
  const published = /^\/spreadsheets\/d\/e\/([\w-]+)\//.exec(pathname)?.[1];
  if (published) return `${origin}/spreadsheets/d/e/${published}/pub?output=csv${ofTab}`;
  const id = /^\/spreadsheets\/(?:u\/\d+\/)?d\/([\w-]{10,})/.exec(pathname)?.[1];
  return id ? `${origin}/spreadsheets/d/${id}/export?format=csv${ofTab}` : null;
}

export const notSharedSentence = 'The sheet isn’t shared. Share it with “Anyone with the link”, as a viewer.';

/** The sign-in to a server. Its values are sealed and never shown. */
export type ListSignIn =
  | { kind: 'none' }
  | { kind: 'password'; user: string; password: string }
  | { kind: 'header'; name: string; value: string }
  | { kind: 'key'; user: string; privateKey: string; passphrase: string };

export const listSignInKinds = ['none', 'password', 'header', 'key'] as const satisfies ListSignIn['kind'][];

/** The sealed address and sign-in of a feed. */
export type ListSecret = { address: string; signIn: ListSignIn };

/** Headers that the HTTP client sets itself, so that an operator cannot set them. */
const ownHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|accept-encoding|if-.*|proxy-.*)$/i;

/** Returns why a sign-in does not fit an address, as a sentence, or null if it fits. */
export function signInFault(signIn: ListSignIn, { kind }: Pick<ListAddress, 'kind'>): string | null {
  if (kind === 'sheet' && signIn.kind !== 'none')
    return 'A Google Sheet is read through its link and needs no sign-in.';
  if (kind === 'sftp' && (signIn.kind === 'none' || signIn.kind === 'header'))
    return 'An sftp address needs a user name, with a password or a private key.';
  if (kind !== 'sftp' && signIn.kind === 'key') return 'A private key signs in to sftp addresses only.';
  if (signIn.kind !== 'header') return null;
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(signIn.name) || ownHeaders.test(signIn.name))
    return 'This header can’t be sent. Enter the name of a header, such as Authorization.';
  return /^[\t\x20-\x7e]*$/.test(signIn.value)
    ? null
    : 'The value of a header can have only plain English characters.';
}
