/** The kind of a token, which determines its color. */
type TokenKind = 'string' | 'number' | 'keyword' | 'comment' | 'name' | 'plain';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/**
 * The maximum length of code that gets colors. Each token is an element of the page, so longer code would have too
 * many.
 */
export const MAX_HIGHLIGHTED = 60_000;

const JSON_TOKEN =
  /(?<name>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\\n]|\\.)*"?)|(?<number>-?\d[\d.eE+-]*)|(?<keyword>\b(?:true|false|null)\b)/g;

const KEYWORDS =
  'as|async|await|begin|catch|class|const|def|defer|do|echo|else|end|except|false|finally|for|from|' +
  'func|if|import|in|let|new|nil|null|None|package|public|require|rescue|return|static|string|String|' +
  'throw|throws|true|True|False|try|type|use|using|var|void|with|curl';

/** Matches quoted text, numbers, keywords and comments. That is enough for all languages of the samples. */
const CODE_TOKEN = new RegExp(
  [
    // Matches an escaped quote between two quoted words of a shell command.
    '(?<plain>\\\\.)',
    '(?<comment>(?:^|(?<=\\s))(?:#|//)(?= )[^\\n]*)',
    '(?<string>"""[\\s\\S]*?"""|`[^`]*`|"(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\')',
    `(?<keyword>(?<![\\w.$-])(?:${KEYWORDS})(?![\\w-]))`,
    '(?<name>(?<=\\s)--?[a-zA-Z][\\w-]*(?=\\s))',
    '(?<number>(?<![\\w./:-])\\d[\\d._]*\\b)',
  ].join('|'),
  'g',
);

/** Matches a quoted JSON body of several lines, as in the samples for curl and Go. */
const EMBEDDED_JSON = /^("""|'|`)[[{]\n[\s\S]*\n[ \t]*[\]}]\1$/;

/** Splits code into tokens. Joined, the tokens are the code again. */
export function highlight(text: string, language: 'json' | 'code'): readonly Token[] {
  if (text.length > MAX_HIGHLIGHTED) return [{ kind: 'plain', text }];
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(language === 'json' ? JSON_TOKEN : CODE_TOKEN)) {
    if (match.index > end) tokens.push({ kind: 'plain', text: text.slice(end, match.index) });
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? ['plain'];
    const [, quote] = kind === 'string' ? (EMBEDDED_JSON.exec(match[0]) ?? []) : [];
    if (quote === undefined) tokens.push({ kind: kind as TokenKind, text: match[0] });
    else {
      const inner = highlight(match[0].slice(quote.length, -quote.length), 'json');
      tokens.push({ kind: 'string', text: quote }, ...inner, { kind: 'string', text: quote });
    }
    end = match.index + match[0].length;
  }
  if (end < text.length) tokens.push({ kind: 'plain', text: text.slice(end) });
  return tokens;
}
