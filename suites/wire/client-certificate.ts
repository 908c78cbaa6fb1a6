/** A certificate with which a client shows who it is (mutual TLS), and its private key; both as PEM text. */
export interface ClientCertificate {
  readonly cert: string;
  /** A secret: it is used for connections and appears nowhere else. */
  readonly key: string;
}
