/** An IPv4 address of this machine (RFC 1122 §3.2.1.3); a URL holds every other form of it in this one. */
const IPV4_LOOPBACK = /^127\.\d+\.\d+\.\d+$/;

/** Whether the address is this machine, which is never reached through a proxy. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === '[::1]' ||
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  IPV4_LOOPBACK.test(hostname);

/** The same of an address as text; not where it is no URL. */
export const isLoopbackUrl = (url: string): boolean => URL.canParse(url) && isLoopback(new URL(url));
