/** Formats a time for a `datetime-local` input, to the minute. Empty if the text is not a time. */
export function formatLocalTime(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return '';
  const pad = (value: number, length = 2) => String(value).padStart(length, '0');
  const day = `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

/** Converts the value of a `datetime-local` input to RFC 3339. Undefined while the value is incomplete. */
export function parseLocalTime(input: string): string | undefined {
  const at = new Date(input);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
