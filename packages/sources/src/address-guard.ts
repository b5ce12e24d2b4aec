import { BlockList, isIP } from 'node:net';

/**
 * IPv4 networks that are not the public internet (IANA IPv4 Special-Purpose Address Registry, RFC 6890), with multicast
 * and reserved space.
 */
const privateNetworks4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
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

/** The only IPv6 space for global unicast addresses (RFC 4291). Everything else is refused: fc00::/7, fe80::/10, ::1 … */
const publicNetwork6 = ['2000::', 3] as const;

/** Parts of it that hold another address inside (Teredo, 6to4) or are not routed (IANA IPv6 Special-Purpose Registry). */
const privateNetworks6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const refused4 = new BlockList();
for (const [network, bits] of privateNetworks4) refused4.addSubnet(network, bits, 'ipv4');
const refused6 = new BlockList();
for (const [network, bits] of privateNetworks6) refused6.addSubnet(network, bits, 'ipv6');
const public6 = new BlockList();
public6.addSubnet(...publicNetwork6, 'ipv6');

/** Whether an IP address is on the public internet. IPv4 inside IPv6 (mapped, NAT64) never is: it could be any address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !refused4.check(address, 'ipv4');
  return version === 6 && public6.check(address, 'ipv6') && !refused6.check(address, 'ipv6');
}

const charsMax = 2_048;
const portsAllowed = ['', '80', '443'];

/**
 * Why a URL must not be fetched whatever its host resolves to, or null. `URL` has already turned decimal, octal and
 * hexadecimal forms of an IPv4 address into dotted ones.
 */
export function refusalOfUrl(url: URL): string | null {
  if (url.href.length > charsMax) return `The address is longer than ${charsMax} characters.`;
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'Only http and https addresses are fetched.';
  if (url.username !== '' || url.password !== '') return 'The address contains a user name or password.';
  if (!portsAllowed.includes(url.port)) return 'Only the ports 80 and 443 are allowed.';
  const host = hostOf(url);
  if (isIP(host) > 0) return isPublicAddress(host) ? null : notPublic;
  return isLocalName(host) ? notPublic : null;
}

export const notPublic = 'The address is not on the public internet.';

/** Host without the brackets of an IPv6 address and without the root's dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Names of a local network. Resolvers may answer them with any address. */
const isLocalName = (host: string): boolean =>
  !host.includes('.') || /\.(?:localhost|local|internal|intranet|lan|home\.arpa)$/i.test(host);
