declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  /** The part of the class that the tests use. */
  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    on(event: 'grant.success', listener: (answer: { body: { access_token: string; id_token: string } }) => void): this;
    interactionFinished(req: IncomingMessage, res: ServerResponse, result: object): Promise<void>;
    readonly Grant: new (of: { accountId: string; clientId: string }) => {
      addOIDCScope(scope: string): void;
      save(): Promise<string>;
    };
  }
}
