import { UserError } from '../../../kernel/basics/errors.ts';
import { isLoopback } from '../../../kernel/exchanges/loopback.ts';

/** VER-1 judges a missing `/v1`. Messages repeat nothing that may hold a credential. @param name `--target` or `PETSTORE_TARGET`. */
export function readBaseUrl(text: string, name: string): URL {
  const url = readAddress(text, name);
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw new UserError(
      `${name} must be a base address, such as https://api.example.com/v1: remove the query (?) and the fragment (#).`,
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** @param name what the user calls the input. @throws {UserError} when it is not a web address, or holds a user name or a password. */
export function readAddress(text: string, name: string): URL {
  if (text.trim() === '') {
    throw new UserError(`${name} is empty: give an address such as https://api.example.com/v1.`);
  }
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new UserError(
      `${name} is not a web address: give one that begins with http:// or https://, such as https://api.example.com/v1.`,
    );
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new UserError(
      `${name} holds a user name or a password, and reports show addresses: remove it, and put the key into PETSTORE_API_KEY.`,
    );
  }
  return url;
}

/** The address as reports show it: without a slash at its end. */
export const baseUrlText = (url: URL): string => url.href.replace(/\/+$/, '');

/** The wire evaluates NO_PROXY. @throws {UserError} when the proxy's address cannot be read; it is not repeated: it may hold a password. */
export function usesProxy(url: URL, env: NodeJS.ProcessEnv): boolean {
  if (isLoopback(url)) return false;
  const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
  const defined = names.filter((name) => (env[name] ?? '') !== '');
  const broken = defined.find(
    (name) => !/^https?:\/\//i.test(env[name] ?? '') || !URL.canParse(env[name] ?? ''),
  );
  if (broken !== undefined) {
    throw new UserError(
      `${broken} does not hold the address of a proxy, such as http://proxy.example.com:3128: correct the variable or unset it.`,
    );
  }
  return defined.length > 0;
}
