export interface Guide {
  readonly title: string;
  /** Headings of its sections in docs/consumers.md. */
  readonly sections: readonly string[];
  /** Whether the reader's own limits stand above it. */
  readonly hasLimits?: boolean;
}

/** The guides from the documentation, by the last part of their address. */
export const GUIDES: Readonly<Record<string, Guide>> = {
  portal: { title: 'This portal', sections: ['The portal'] },
  authentication: { title: 'Authentication', sections: ['Authentication'] },
  limits: {
    title: 'Limits',
    sections: ['Rate limits', 'Retries', 'Client libraries', 'Timeouts and size limits'],
    hasLimits: true,
  },
  standing: { title: 'Usage API', sections: ['Usage'] },
  webhooks: { title: 'Receiving events', sections: ['Webhooks'] },
  lifecycle: { title: 'Deprecated operations', sections: ['Deprecated operations'] },
  errors: { title: 'Errors', sections: ['Errors'] },
};

/** Examples in the documentation call a gateway on the reader's machine; here they call this API. */
export function withAddress(markdown: string, apiUrl: string): string {
  return markdown.replaceAll('http://127.0.0.1:8080', apiUrl);
}

/** The target in the portal for a link in the documentation; null for pages that are not for consumers. */
export function guideAddress(url: string): string | null {
  if (/^https?:/.test(url)) return url;
  return /^errors\.md(?:#|$)/.test(url) ? '#/docs/errors' : null;
}
