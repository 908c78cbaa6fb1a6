import type { HelpTexts } from '../options/command-line.ts';

/** What the help of each command says besides its options. That of `load` describes the profiles, and stands beside it. */
export const CERTIFY: HelpTexts = {
  examples: `  petstore-conformance certify
      tests the bundled server
  petstore-conformance certify --target https://api.example.com/v1
      tests your service; with --dry-run, prints what it would send
  petstore-conformance certify --fault retry-after-absent
      shows what a violation looks like`,
  note: `The key is read from PETSTORE_API_KEY, or from where --api-key-env or --api-key-file says,
never from the command line. "certify --help-all" has every option, for gateways, further
keys and parts of the requirements.`,
  details: `Keys are read from environment variables or a file, never from the command line.

More examples:
  petstore-conformance certify --plans plans.json
      tests the bundled server with the windows and quotas of this file
  PETSTORE_API_KEY=… PETSTORE_OTHER_KEY=… petstore-conformance certify --target https://api.example.com/v1 \\
      --plan pro --plan-key free=FREE_KEY --openapi https://api.example.com/openapi.json --out report
  PETSTORE_API_KEY=… petstore-conformance certify --target https://api.example.com/v1 --only CREATE,AUTH-1
      sends what these requirements need, and does not exhaust the quota`,
};

const TASK = `The client is started once for each scenario, with its task in its environment:
  PETSTORE_TARGET       base address of the service, ending in /v1
  PETSTORE_API_KEY      key to send
  PETSTORE_CALLS        how many times to list the categories (default 1)
  PETSTORE_CREATES      how many categories to create afterwards (default 0)
  PETSTORE_CONCURRENCY  how many tasks share the calls, one client and the key (default 1)
It ends with status 0 only if all calls succeeded.`;

export const CERTIFY_CLIENT: HelpTexts = {
  examples: `  petstore-conformance certify-client
      tests the bundled exemplary client
  petstore-conformance certify-client --template python > client.py
      prints a client to start from
  petstore-conformance certify-client -- python3 client.py
      tests your client`,
  note: TASK,
  details: `${TASK}

More examples:
  petstore-conformance certify-client --serve
      waits for a client that you attach by hand`,
};

export const SERVE = `
Examples:
  petstore-conformance serve --port 8080
  petstore-conformance serve --list faults
  petstore-conformance serve --algorithm token-bucket --ban 10:30
  petstore-conformance serve --json --fault retry-after-absent`;

export const EXPLAIN = `
Examples:
  petstore-conformance explain
  petstore-conformance explain RATE-3
  petstore-conformance explain CLIENT-1 --markdown > CLIENT-1.md
  petstore-conformance explain NO-429`;

export const ATTEST = `
Examples:
  openssl genpkey -algorithm ed25519 -out vendor.pem
  petstore-conformance attest out/RUN --key vendor.pem
  petstore-conformance attest out/RUN --key examiner.pem --countersign
      the examiner, who watched the run or made it, signs the same statement

Before it signs, it checks everything that verify checks.

Exit codes:
  0  signed
  1  not signed: the report does not follow from what was recorded; the sentence says what differs
  2  not signed: a file, a key or an option cannot be used`;

export const VERIFY = `
It checks the signatures, the digests and the date, judges the journal (or the samples of a load run) again, and
compares the page of the report, where the folder has it, with what the report states.

Examples:
  petstore-conformance verify out/RUN --key vendor.pub.pem
  petstore-conformance verify out/RUN --key vendor.pub.pem --key examiner.pub.pem
      both must have signed
  petstore-conformance verify out/RUN --key vendor.pub.pem && ./deploy.sh

Exit codes:
  0  true, and the subject conforms
  3  true, but it does not say that the subject conforms: something failed, the run is incomplete or partial, its
     windows were those of a demonstration, its limits not those of the specification, or it tested the bundled server
  1  not true; the sentence says what
  2  not checked: a file, a key or an option cannot be used`;

export const WATCH = `
Point your application at the address that is printed, and let it work (its test suite, for example). Every byte is
passed on unchanged, the Host header included. Keys are learnt from Authorization headers and replaced by their names;
one in PETSTORE_API_KEY is known from the first byte. It is made for loopback and test environments.

Examples:
  petstore-conformance watch --target http://127.0.0.1:8080/v1 --listen 127.0.0.1:9090
  petstore-conformance watch --target https://staging.example.com/v1`;

export const JUDGE = `
The samples of several runners of a load run are judged together: one verdict, one report. A
part that is missing or cut is named, and what rests on it is inconclusive; judge again when it
has arrived. A part that is given twice counts once. A run of several runners needs the
load-run.json that "load manifest" wrote.

Examples:
  petstore-conformance judge out/RUN
  petstore-conformance judge journal.ndjson --strict --out judged-strictly
  petstore-conformance judge out/RUN --baseline known.json --format json
  petstore-conformance judge out/RUN --format har > run.har
  petstore-conformance judge k8s samples --out out/RUN`;

export const COMPARE = `
Sets of load runs, made with "load PROFILE --target A --against B --repeat 8", can gate a
pipeline: if nothing changed, it raises a false alarm in at most 1 of 100 comparisons. Latencies
decide only where the runs of both sets were recorded in turn. Where the data cannot decide,
the comparison states about how many more repetitions would. Of two single load runs, only
changed verdicts decide: latencies differ by noise.

Exit codes:
  0  the second run is not worse, in what it was to test
  1  a requirement or a figure is worse than before, or fails and was not decided before
  2  an option or a file cannot be used, or a report says that no run was possible
  3  nothing is worse, but the second report lost a verdict, or load runs are not comparable

Examples:
  petstore-conformance compare out/BEFORE out/AFTER
  petstore-conformance compare main/report.json report.json --format markdown >> "$GITHUB_STEP_SUMMARY"
  petstore-conformance compare out/target out/against --tolerance 25 --format json
  petstore-conformance compare monday,tuesday wednesday`;

export const MATRIX = `
Examples:
  petstore-conformance matrix go=out/GO rust=out/RUST
  petstore-conformance matrix v1=v1/report.json v2=v2/report.json --format html --out versions.html
  petstore-conformance matrix certificates/* --keys keys --format html --out listing.html`;

export const INIT = `
A file that exists is never replaced.

Examples:
  petstore-conformance init --target https://staging.example.com/v1
      writes petstore-conformance.json and .github/workflows/petstore.yml
  petstore-conformance init --target https://staging.example.com/v1 --ci gitlab --plan pro
  petstore-conformance init --ci gitlab
      adds a pipeline to the configuration that exists`;

export const COMPLETION = `
The script calls the program that you type for each completion, so it always fits its version.

Examples:
  petstore-conformance completion bash > ~/.local/share/bash-completion/completions/petstore-conformance
  petstore-conformance completion zsh > ~/.zsh/completions/_petstore-conformance
      the folder must be in fpath before compinit
  petstore-conformance completion fish > ~/.config/fish/completions/petstore-conformance.fish`;

export const MANIFEST = `
Every runner takes the keys of its execution segment, so all requests of a key come from one
runner. Keys stay in Secrets. Each runner keeps its samples in a folder of its own; "judge"
judges them together.

Examples:
  kubectl create secret generic petstore-keys --from-file=keys.csv
  petstore-conformance load manifest soak --target https://staging.example.com/v1 \\
      --keys-file keys.csv --keys-secret petstore-keys --parallelism 4 --samples-claim petstore-samples --out k8s
  kubectl apply -f k8s
  petstore-conformance judge k8s/run/load-run.json samples --out out/soak

  petstore-conformance load manifest isolation --target https://staging.example.com/v1 \\
      --keys key=petstore-free-a,other=petstore-free-b --samples-claim petstore-samples --out k8s`;
