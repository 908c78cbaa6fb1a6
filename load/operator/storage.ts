import type { SampleStorage } from './deployment.ts';

/** Where a runner writes its samples. */
const SAMPLES_AT = '/samples';
const SAMPLES = 'samples';

/** The file of samples in the container of a runner. */
export const SAMPLES_PATH = `${SAMPLES_AT}/samples.ndjson`;

/** The variable with the name of the pod, which names its folder. */
const POD = 'POD_NAME';

/** The image of the sidecar; its tag is pinned. */
const COPIER = 'rclone/rclone:1.68.2';

/**
 * Copies the samples every ten seconds while the runner writes, and once more when it has ended: Kubernetes ends a
 * sidecar after the other containers, with SIGTERM. A copy that fails is tried again.
 */
export const COPY_SCRIPT = [
  `copy() { rclone copy --local-no-check-updated --retries 5 ${SAMPLES_AT} ":s3:$SAMPLES_PATH/$${POD}"; }`,
  'trap "copy; exit 0" TERM',
  'while true; do sleep 10 & wait $!; copy; done',
].join('\n');

/** The fields of a pod that keep its samples. */
export interface StorageFields {
  readonly volumes: readonly object[];
  readonly volumeMounts: readonly object[];
  readonly env: readonly object[];
  readonly initContainers: readonly object[];
}

const podName = { name: POD, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } };

/** What a runner needs to keep its samples beyond its end. */
export function storageFields(storage: SampleStorage): StorageFields {
  switch (storage.kind) {
    case 'claim':
      return {
        volumes: [{ name: SAMPLES, persistentVolumeClaim: { claimName: storage.claim } }],
        volumeMounts: [{ name: SAMPLES, mountPath: SAMPLES_AT, subPathExpr: `$(${POD})` }],
        env: [podName],
        initContainers: [],
      };
    case 's3': {
      const mount = { name: SAMPLES, mountPath: SAMPLES_AT };
      return {
        volumes: [{ name: SAMPLES, emptyDir: {} }],
        volumeMounts: [mount],
        env: [],
        initContainers: [
          {
            name: 'copy-samples',
            image: COPIER,
            // An init container that restarts is a sidecar.
            restartPolicy: 'Always',
            command: ['sh', '-c', COPY_SCRIPT],
            env: [podName, { name: 'SAMPLES_PATH', value: storage.path }],
            envFrom: [{ secretRef: { name: storage.secret } }],
            volumeMounts: [{ ...mount, readOnly: true }],
          },
        ],
      };
    }
  }
}
