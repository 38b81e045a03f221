export interface Guide {
  readonly title: string;
  /** Its sections of the page for consumers, by their headings. */
  readonly sections: readonly string[];
}

/** The guides from the documentation, by the last part of their address. */
export const GUIDES: Readonly<Record<string, Guide>> = {
  portal: { title: 'This portal', sections: ['In the portal'] },
  authentication: { title: 'Authentication', sections: ['Send your key', 'The format of a key', 'Browsers'] },
  limits: {
    title: 'Limits',
    sections: ['Read the headers', 'How you are counted', 'When you are told to wait, wait', 'Limits of time and size'],
  },
  standing: { title: 'Usage by API', sections: ['Where you stand'] },
  webhooks: { title: 'Receiving events', sections: ['Webhooks'] },
  lifecycle: { title: 'Operations that end', sections: ['Operations that will go away'] },
  errors: { title: 'Errors', sections: ['Errors', 'Whom to ask'] },
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
