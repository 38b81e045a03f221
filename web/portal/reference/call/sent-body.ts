import type { CallBody } from './body.ts';

/** The body of a call, in the format of the portal's API. */
interface SentBody {
  readonly body: string | null;
  readonly bodyEncoding: 'utf8' | 'base64';
  /** The content type of the body. Null if the headers of the call contain it. */
  readonly contentType: string | null;
}

/**
 * Converts the body of a call to the format in which it is sent.
 *
 * @param files the selected files, by the name of their field
 * @throws Error if a file is missing or cannot be read
 */
export async function createSentBody(body: CallBody | null, files: Readonly<Record<string, File>>): Promise<SentBody> {
  if (body === null) return { body: null, bodyEncoding: 'utf8', contentType: null };
  switch (body.kind) {
    case 'text':
      return { body: body.text, bodyEncoding: 'utf8', contentType: null };
    case 'form': {
      const text = new URLSearchParams(body.fields.map(([name, value]) => [name, value])).toString();
      return { body: text, bodyEncoding: 'utf8', contentType: 'application/x-www-form-urlencoded' };
    }
    case 'file':
      return { body: await base64(findChosenFile(files, '')), bodyEncoding: 'base64', contentType: null };
    case 'multipart':
    default: {
      const form = new FormData();
      for (const { name, value, isFile, type } of body.parts) {
        if (isFile) {
          const file = findChosenFile(files, name);
          form.append(name, type === null ? file : new Blob([file], { type }), file.name);
        } else if (type === null) form.append(name, value);
        else form.append(name, new Blob([value], { type }));
      }
      const response = new Response(form);
      const contentType = response.headers.get('Content-Type');
      return { body: await base64(await response.blob()), bodyEncoding: 'base64', contentType };
    }
  }
}

function findChosenFile(files: Readonly<Record<string, File>>, name: string): File {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) throw new Error(name === '' ? 'Choose a file to send.' : `Choose a file for ${name}.`);
  return file;
}

/** The number of bytes that are converted in one step, as arguments of a function. More could exceed the stack. */
const STEP = 0x2000;

async function base64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += STEP) text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(text);
}
