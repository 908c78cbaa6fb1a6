import { gatewayHeaderLines } from '../exchanges/gateway-headers.ts';
import { readBaseline } from '../reports/baseline/file.ts';
import { loadPlans } from '../spec/plans.ts';
import type { SettledRun, TargetAccess } from '../suites/index.ts';
import { furtherKeysIn, settleRun } from '../suites/index.ts';
import { readBaseUrl } from '../suites/inputs/base-url.ts';
import { rejectBesideQuick } from '../suites/inputs/beside-quick.ts';
import { readChallenge } from '../suites/inputs/challenge.ts';
import { checkedKeys } from '../suites/inputs/checked-keys.ts';
import { readClientCertificate } from '../suites/inputs/client-certificate.ts';
import { LIBRARY } from '../suites/inputs/input-names.ts';
import { readNamePattern } from '../suites/inputs/name-pattern.ts';
import { readOpenapiSource } from '../suites/inputs/openapi/source.ts';
import type { Baseline } from '../suites/model/baseline.ts';
import { readSelection } from '../suites/run/read-selection.ts';
import { checkSpendDay } from '../suites/run/spend-day-check.ts';
import { readProduct } from '../words/product.ts';
import type { CertifyOptions } from './certify.ts';

/** A run of the library, settled before anything is sent. */
export interface SettledCertification {
  readonly access: TargetAccess;
  readonly run: SettledRun;
  readonly baseline: Baseline | undefined;
}

/** The library reads no environment: neither keys nor proxies. */
const NO_ENVIRONMENT = {};

/**
 * Checks the options of a run with the functions that the command uses. Reads the files that they name; sends nothing.
 * @throws {UserError | PlanFileError} when one is wrong; no message repeats a key.
 */
export function settleCertification(options: CertifyOptions): SettledCertification {
  const { target, plan = 'free', plans = loadPlans(), namePattern, openapi, baseline } = options;
  rejectBesideQuick(options, LIBRARY);
  const keys = checkedKeys(options.keys, 'keys');
  const clientCertificate = readClientCertificate(options);
  const access = {
    baseUrl: readBaseUrl(String(target), LIBRARY.target),
    keys,
    certificateAuthority: options.certificateAuthority,
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    headers: headersIn(options),
    proxied: false,
  };
  const run = settleRun({
    plans,
    plan,
    furtherKeys: furtherKeysIn(keys),
    exclusiveKey: options.exclusiveKey === true,
    thorough: options.thorough === true,
    spendDay: options.spendDay === true,
    challenge: readChallenge(options.challenge, namePattern, LIBRARY),
    namePattern: namePattern === undefined ? undefined : readNamePattern(namePattern, LIBRARY.namePattern),
    openapi: openapi === undefined ? undefined : readOpenapiSource(openapi, LIBRARY.openapi, NO_ENVIRONMENT),
    selection: readSelection(
      { only: listOf(options.only), skip: listOf(options.skip), quick: options.quick },
      LIBRARY,
    ),
    product: readProduct(options.product ?? {}, LIBRARY.product),
  });
  checkSpendDay(run.plan, LIBRARY.spendDay);
  return { access, run, baseline: baseline === undefined ? undefined : readBaseline(baseline) };
}

const headersIn = ({ headers = [] }: CertifyOptions) =>
  gatewayHeaderLines(
    headers.map(([name, value]) => `${name}: ${value}`),
    LIBRARY.headers,
  );

const listOf = (names: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof names === 'string' ? [names] : names;
