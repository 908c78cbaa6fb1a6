import { EnvHttpProxyAgent, fetch } from 'undici';

/** The time and size limits of a download. */
export interface DownloadLimits {
  readonly connectSeconds: number;
  readonly totalSeconds: number;
  readonly bytes: number;
}

/** Downloads a file over HTTPS; rejects with an Error whose message is a clause for a person. */
export type Download = (url: string, limits: DownloadLimits) => Promise<Uint8Array>;

/** Downloads through the user's proxy (`HTTPS_PROXY`, `NO_PROXY`), within limits of time and size. */
export const download: Download = async (url, limits) => {
  const dispatcher = new EnvHttpProxyAgent({ connect: { timeout: limits.connectSeconds * 1000 } });
  try {
    const signal = AbortSignal.timeout(limits.totalSeconds * 1000);
    const response = await fetch(url, { dispatcher, signal });
    if (!response.ok || response.body === null) throw new Error(`the response was ${response.status}`);
    return await collect(response.body, limits.bytes);
  } catch (error) {
    throw new Error(`${new URL(url).host}: ${reasonOf(error)}`, { cause: error });
  } finally {
    await dispatcher.destroy();
  }
};

async function collect(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > limit) throw new Error(`the file has more than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The message of the innermost cause: `fetch` wraps the actual error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message;
}
