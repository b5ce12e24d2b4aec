import ipaddr from 'ipaddr.js';

/** The host service of Azure, which every machine in Azure can reach. */
const azureHost = '168.63.129.16';
/** The only IPv6 space for global unicast addresses (RFC 4291). */
const publicNetwork6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is public. False for IPv4 in IPv6 (mapped, NAT64), which may stand for any address. */
export function isPublicAddress(address: string): boolean {
  if (!isAddress(address) || address === azureHost) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(publicNetwork6));
}

const charsMaxDefault = 2_048;
const portsAllowed = ['', '80', '443'];

/**
 * Returns the reason why a URL must not be fetched, or null. Reads only the URL and does not resolve its host. `URL`
 * has already turned decimal, octal and hexadecimal forms of an IPv4 address into dotted ones.
 */
export function checkUrl(url: URL, charsMax = charsMaxDefault): string | null {
  if (url.href.length > charsMax) return `The address is longer than ${charsMax} characters.`;
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'Only http and https addresses are fetched.';
  if (url.username !== '' || url.password !== '') return 'The address contains a user name or password.';
  if (!portsAllowed.includes(url.port)) return 'Only the ports 80 and 443 are allowed.';
  const host = hostOf(url);
  if (isAddress(host)) return isPublicAddress(host) ? null : notPublicMessage;
  return isLocalName(host) ? notPublicMessage : null;
}

export const notPublicMessage = 'The address is not on the public internet.';

/** Returns the host without the brackets of an IPv6 address and without a final dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const isAddress = (host: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(host) || (ipaddr.IPv6.isValid(host) && !host.includes('%'));

/** Whether a name belongs to a local network. Resolvers may return any address for such a name. */
const isLocalName = (host: string): boolean =>
  !host.includes('.') || /\.(?:localhost|local|internal|intranet|lan|home\.arpa)$/i.test(host);

/**
 * Whether a Host header is an IP address or a name of a local network. In a DNS rebinding attack, a website points its
 * own name to this machine, so the header has the website's name.
 */
export function isLocalHost(host: string): boolean {
  const url = host === '' ? null : URL.parse(`http://${host}`);
  return url !== null && (isAddress(hostOf(url)) || isLocalName(hostOf(url)));
}
