/** Saves a text as a file on the user's device. */
export function saveFile(name: string, text: string, type: string): void {
  save(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** Saves bytes as a file on the user's device. Their type is neutral, so browsers never render them as a page. */
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
