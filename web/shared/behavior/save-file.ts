/** Hands a text to the reader as a file. */
export function saveFile(name: string, text: string, type: string): void {
  save(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** Hands bytes to the reader as a file; whatever they are, no browser shows them as a page. */
export function saveBytes(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  save(name, new Blob([bytes], { type: 'application/octet-stream' }));
}

function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
