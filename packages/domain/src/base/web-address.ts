/**
 * IPv4 networks that are not the public internet (IANA IPv4 Special-Purpose Address Registry, RFC 6890), with multicast
 * and reserved space, and the address of Azure's host service, which every machine there reaches.
 */
const privateNetworks4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/**
 * The only IPv6 space for global unicast addresses (RFC 4291). Everything else is refused: fc00::/7, fe80::/10, ::1 …
 */
const publicNetwork6 = ['2000::', 3] as const;

/**
 * Parts of it that hold another address inside (Teredo, 6to4) or are not routed (IANA IPv6 Special-Purpose Registry).
 */
const privateNetworks6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

/**
 * Whether an IP address is on the public internet. IPv4 inside IPv6 (mapped, NAT64) never is: it could be any address.
 */
export function isPublicAddress(address: string): boolean {
  const four = bitsOf4(address);
  if (four !== null) return !privateNetworks4.some(([network, bits]) => isSame(four, bitsOf4(network), bits));
  const six = firstBitsOf6(address);
  if (six === null) return false;
  const isIn = ([network, bits]: readonly [string, number]) => isSame(six, firstBitsOf6(network), bits);
  return isIn(publicNetwork6) && !privateNetworks6.some(isIn);
}

/** Whether the first `bits` of two numbers of 32 are equal. */
const isSame = (one: number, other: number | null, bits: number): boolean =>
  other !== null && one >>> (32 - bits) === other >>> (32 - bits);

/** An IPv4 address in its dotted form as a number; null if it is none. */
function bitsOf4(address: string): number | null {
  const parts = address.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return null;
  return parts.reduce((bits, part) => bits * 256 + Number(part), 0);
}

/** The first 32 bits of an IPv6 address, which is as many as the networks above have; null if it is none. */
function firstBitsOf6(address: string): number | null {
  const url = address.includes(':') ? URL.parse(`http://[${address}]/`) : null;
  if (url === null) return null;
  // '2001::1' has its zeros after the first group, '::1' before it.
  const [first = '', second = ''] = hostOf(url).split(':');
  return Number.parseInt(first || '0', 16) * 65_536 + Number.parseInt(second || '0', 16);
}

const charsMaxDefault = 2_048;
const portsAllowed = ['', '80', '443'];

/**
 * Why a URL of a file must not be fetched, by the server or by a browser, whatever its host resolves to; or null. `URL`
 * has already turned decimal, octal and hexadecimal forms of an IPv4 address into dotted ones.
 */
export function refusalOfUrl(url: URL, charsMax = charsMaxDefault): string | null {
  if (url.href.length > charsMax) return `The address is longer than ${charsMax} characters.`;
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'Only http and https addresses are fetched.';
  if (url.username !== '' || url.password !== '') return 'The address contains a user name or password.';
  if (!portsAllowed.includes(url.port)) return 'Only the ports 80 and 443 are allowed.';
  const host = hostOf(url);
  if (isAddress(host)) return isPublicAddress(host) ? null : notPublic;
  return isLocalName(host) ? notPublic : null;
}

export const notPublic = 'The address is not on the public internet.';

/** Host without the brackets of an IPv6 address and without the root's dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const isAddress = (host: string): boolean => bitsOf4(host) !== null || firstBitsOf6(host) !== null;

/** Names of a local network. Resolvers may answer them with any address. */
const isLocalName = (host: string): boolean =>
  !host.includes('.') || /\.(?:localhost|local|internal|intranet|lan|home\.arpa)$/i.test(host);

/**
 * Whether a Host header names an IP address or a name of a local network. A website that points its own name to this
 * machine (DNS rebinding) has another one.
 */
export function isLocalHost(host: string): boolean {
  const url = host === '' ? null : URL.parse(`http://${host}`);
  return url !== null && (isAddress(hostOf(url)) || isLocalName(hostOf(url)));
}
