import { Finding } from './finding.ts';

type Fields = readonly (readonly [name: string, value: string])[];

/** A response that was received. */
export interface ParsedResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: Fields;
  /** The interim responses (1xx) before it. */
  readonly interims: readonly { readonly status: number; readonly headers: Fields }[];
  /** The body in Latin-1, truncated if it is long. */
  body: string;
  bodyBytes: number;
  trailers: Fields;
  complete: boolean;
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-9]\d\d) ([\t\x20-\x7e\x80-\xff]*)$/;
const FIELD_LINE =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*((?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?)[ \t]*$/;
const MAX_BODY_CHARS = 65_536;

export function findValues(fields: Fields, name: string): string[] {
  return fields.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
}

/**
 * A strict parser of HTTP/1.1 responses (RFC 9112). Node's parser is lenient, and would hide defects that the gateway
 * shares with it.
 */
export class ResponseParser {
  readonly answers: ParsedResponse[] = [];
  /** The number of bytes received after a 101. */
  tunnelBytes = 0;
  upgraded = false;
  readonly #getMethod: (index: number) => string;
  #text = '';
  #interims: { status: number; headers: Fields }[] = [];
  /** Parses the next part of `#text`. Returns false if more bytes are needed. */
  #next: () => boolean = () => this.#head();
  #rest = 0;

  /** @param getMethod returns the method of the n-th request, which determines whether the response has a body */
  constructor(getMethod: (index: number) => string) {
    this.#getMethod = getMethod;
  }

  get complete(): number {
    return this.answers.length - (this.answers.at(-1)?.complete === false ? 1 : 0);
  }

  /** The bytes that have not been parsed yet. */
  get pending(): string {
    return this.#text;
  }

  /**
   * Parses further bytes.
   *
   * @throws Finding if the bytes are not a valid response
   */
  push(chunk: string): void {
    this.#text += chunk;
    while (this.#next());
  }

  /** Call this when the peer has closed the connection gracefully. */
  end(): void {
    const response = this.answers.at(-1);
    if (response?.complete === false && this.#next === this.#untilClose) response.complete = true;
  }

  #fail(what: string): never {
    throw new Finding(`not HTTP: ${what}`, JSON.stringify(this.#text.slice(0, 300)));
  }

  #line(): string | undefined {
    const end = this.#text.indexOf('\r\n');
    if (end === -1) {
      if (this.#text.length > 100_000) this.#fail('an endless line');
      return undefined;
    }
    const line = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 2);
    return line;
  }

  #fields(lines: readonly string[]): Fields {
    return lines.map((line) => {
      const [, name, value] = FIELD_LINE.exec(line) ?? this.#fail(`a header line: ${JSON.stringify(line)}`);
      return [name!, value!] as const;
    });
  }

  #head(): boolean {
    if (this.upgraded) {
      this.tunnelBytes += this.#text.length;
      this.#text = '';
      return false;
    }
    if (this.#text !== '' && !'HTTP/1.1 '.startsWith(this.#text.slice(0, 9))) this.#fail('a status line');
    const end = this.#text.indexOf('\r\n\r\n');
    if (end === -1) return false;
    const [line = '', ...lines] = this.#text.slice(0, end).split('\r\n');
    const [, code, reason] = STATUS_LINE.exec(line) ?? this.#fail('a status line');
    const headers = this.#fields(lines);
    this.#text = this.#text.slice(end + 4);
    const status = Number(code);
    if (status < 200 && status !== 101) {
      this.#interims.push({ status, headers });
      return true;
    }
    const interims = this.#interims;
    this.#interims = [];
    this.answers.push({
      status,
      reason: reason!,
      headers,
      interims,
      body: '',
      bodyBytes: 0,
      trailers: [],
      complete: false,
    });
    this.#next = this.#framing(status, headers);
    return true;
  }

  #framing(status: number, headers: Fields): () => boolean {
    const lengths = findValues(headers, 'content-length');
    const encodings = findValues(headers, 'transfer-encoding');
    if (lengths.length + encodings.length > 1) this.#fail('framed twice');
    if (status === 101) this.upgraded = true;
    const bodiless = status === 204 || status === 304 || status === 101;
    if (bodiless || this.#getMethod(this.answers.length - 1) === 'HEAD') return () => this.#over();
    if (encodings.length === 1) {
      if (encodings[0]?.toLowerCase() !== 'chunked') this.#fail('a transfer encoding');
      return this.#chunkSize;
    }
    if (lengths.length === 0) return this.#untilClose;
    if (!/^\d{1,15}$/.test(lengths[0]!)) this.#fail('a content length');
    this.#rest = Number(lengths[0]);
    return () => this.#take(() => this.#over());
  }

  #over(): boolean {
    this.answers.at(-1)!.complete = true;
    this.#next = () => this.#head();
    return true;
  }

  #take(then: () => boolean): boolean {
    const taken = this.#text.slice(0, this.#rest);
    this.#text = this.#text.slice(taken.length);
    this.#rest -= taken.length;
    this.#keep(taken);
    return this.#rest === 0 && then();
  }

  #keep(taken: string): void {
    const response = this.answers.at(-1)!;
    response.bodyBytes += taken.length;
    if (response.body.length < MAX_BODY_CHARS) response.body += taken;
  }

  readonly #untilClose = (): boolean => {
    this.#keep(this.#text);
    this.#text = '';
    return false;
  };

  readonly #chunkSize = (): boolean => {
    const line = this.#line();
    if (line === undefined) return false;
    if (!/^[0-9a-fA-F]{1,12}$/.test(line)) this.#fail(`a chunk size: ${JSON.stringify(line)}`);
    this.#rest = Number.parseInt(line, 16);
    this.#next = this.#rest === 0 ? this.#trailers : this.#chunk;
    return true;
  };

  readonly #chunk = (): boolean => this.#take(() => (this.#next = this.#chunkEnd) !== undefined);

  readonly #chunkEnd = (): boolean => {
    if (this.#text.length < 2) return false;
    if (!this.#text.startsWith('\r\n')) this.#fail('the end of a chunk');
    this.#text = this.#text.slice(2);
    this.#next = this.#chunkSize;
    return true;
  };

  readonly #trailers = (): boolean => {
    const line = this.#line();
    if (line === undefined) return false;
    const response = this.answers.at(-1)!;
    if (line === '') return this.#over();
    response.trailers = [...response.trailers, ...this.#fields([line])];
    return true;
  };
}
