/** Runs the verification code of docs/consumers.md in each language that is installed. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateSigningSecret } from '../../../src/control-plane/webhooks/signature.ts';
import { readDocument } from '../../support/documents.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { Endpoint } from '../../support/webhooks/endpoint.ts';
import { createSender } from '../../support/webhooks/sender.ts';

interface Language {
  readonly name: string;
  /** A command that prints the version of the language, if it is installed. */
  readonly program: readonly [file: string, ...args: string[]];
  /**
   * The files of the program by name. `CODE` stands for the code in the document. The program reads cases.json, or
   * cases.txt with one case per line, and prints a list of booleans.
   */
  readonly files: Readonly<Record<string, string>>;
  readonly run: readonly [file: string, ...args: string[]];
}

interface Case {
  readonly what: string;
  readonly expected: boolean;
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const languages: readonly Language[] = [
  {
    name: 'JavaScript (Node)',
    program: [process.execPath, '--version'],
    files: {
      'verify.mjs': 'CODE',
      'run.mjs': `import { readFileSync } from 'node:fs';
import { verify } from './verify.mjs';
const cases = JSON.parse(readFileSync('cases.json', 'utf8'));
console.log(JSON.stringify(cases.map(({ secret, headers, body }) => verify(secret, headers, Buffer.from(body)))));`,
    },
    run: [process.execPath, 'run.mjs'],
  },
  {
    name: 'Python',
    program: ['python3', '--version'],
    files: {
      'verify.py': 'CODE',
      'run.py': `import json
from verify import verify
cases = json.load(open("cases.json", encoding="utf-8"))
print(json.dumps([verify(each["secret"], each["headers"], each["body"].encode()) for each in cases]))`,
    },
    run: ['python3', 'run.py'],
  },
  {
    name: 'Go',
    program: ['go', 'version'],
    files: {
      'go.mod': 'module verify\n\ngo 1.19\n',
      'verify.go': 'package main\n\nCODE',
      'main.go': `package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	text, _ := os.ReadFile("cases.json")
	var cases []struct {
		Secret  string
		Headers map[string]string
		Body    string
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, each := range cases {
		h := each.Headers
		results = append(results, Verify(each.Secret, h["webhook-id"], h["webhook-timestamp"], h["webhook-signature"], []byte(each.Body)))
	}
	out, _ := json.Marshal(results)
	fmt.Println(string(out))
}`,
    },
    run: ['go', 'run', '.'],
  },
  {
    name: 'Java',
    program: ['java', '-version'],
    files: {
      'Webhooks.java': 'CODE',
      'Run.java': `import java.nio.file.*;
import java.util.*;

public class Run {
    public static void main(String[] args) throws Exception {
        var results = new ArrayList<Boolean>();
        for (String line : Files.readAllLines(Path.of("cases.txt"))) {
            var fields = new ArrayList<String>();
            for (String field : line.split(" ", -1)) fields.add(new String(Base64.getDecoder().decode(field), "UTF-8"));
            var headers = Map.of("webhook-id", fields.get(1), "webhook-timestamp", fields.get(2), "webhook-signature", fields.get(3));
            results.add(Webhooks.verify(fields.get(0), headers, fields.get(4).getBytes("UTF-8")));
        }
        System.out.println(results);
    }
}`,
    },
    run: ['sh', '-c', 'javac Webhooks.java Run.java && java Run'],
  },
  {
    name: 'C#',
    program: ['dotnet', '--version'],
    files: {
      'verify.csproj':
        '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><ImplicitUsings>enable</ImplicitUsings><TargetFramework>net$(BundledNETCoreAppTargetFrameworkVersion)</TargetFramework></PropertyGroup></Project>',
      'Webhooks.cs': 'CODE',
      'Run.cs': `using System.Text.Json.Nodes;

var results = JsonNode.Parse(File.ReadAllText("cases.json")).AsArray().Select(each =>
    Webhooks.Verify(
        (string)each["secret"],
        each["headers"].AsObject().ToDictionary(header => header.Key, header => (string)header.Value),
        System.Text.Encoding.UTF8.GetBytes((string)each["body"])));
Console.WriteLine("[" + string.Join(",", results.Select(result => result ? "true" : "false")) + "]");`,
    },
    run: ['dotnet', 'run'],
  },
  {
    name: 'PHP',
    program: ['php', '--version'],
    files: {
      'verify.php': '<?php\nCODE',
      'run.php': `<?php
require 'verify.php';
$cases = json_decode(file_get_contents('cases.json'), true);
echo json_encode(array_map(fn ($each) => verify($each['secret'], $each['headers'], $each['body']), $cases));`,
    },
    run: ['php', 'run.php'],
  },
  {
    name: 'Ruby',
    program: ['ruby', '--version'],
    files: {
      'verify.rb': 'CODE',
      'run.rb': `require "json"
require_relative "verify"
cases = JSON.parse(File.read("cases.json", encoding: "UTF-8"))
puts JSON.generate(cases.map { |each| verify(each["secret"], each["headers"], each["body"]) })`,
    },
    run: ['ruby', 'run.rb'],
  },
];

const absent = languages.filter(({ program: [file, ...args] }) => !runs(file, args));
const present = languages.filter((language) => !absent.includes(language));
const COMPILE_MS = 120_000;

let cases: readonly Case[];
beforeAll(async () => {
  cases = await makeCases();
});

test('the verification code in JavaScript is always tested', () => {
  expect(present.map(({ name }) => name)).toContain('JavaScript (Node)');
});

describe.each(present)('the documented verification code in $name', (language) => {
  test(
    'accepts requests as they were sent, and rejects changed ones',
    async () => {
      const results = await verifyAll(language);
      expect(results.map((result, index) => [cases[index]!.what, result])).toEqual(
        cases.map(({ what, expected }) => [what, expected]),
      );
    },
    COMPILE_MS,
  );
});

// Languages that are not installed are reported as skipped.
for (const { name, program } of absent) test.skip(`${name}: ${program[0]} is not installed`, () => {});

function runs(file: string, args: readonly string[]): boolean {
  try {
    execFileSync(file, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Creates cases from a request of a real sender, which is signed with two secrets. */
async function makeCases(): Promise<Case[]> {
  const [secret, previous, other] = [generateSigningSecret(), generateSigningSecret(), generateSigningSecret()];
  const endpoint = await Endpoint.start();
  const { sender, done } = createSender({ allowPrivate: true });
  const sent = '{"type":"pet.created","timestamp":"2026-11-23T09:14:02.000Z","data":{"name":"Ünï \\"cørn\\" 🦄"}}';
  await sender.send({ url: endpoint.url, secrets: [secret, previous], id: 'evt_4C578RQ63JdXHZx3Zzi8', body: sent });
  await done();
  await endpoint.stop();
  const { headers: all, body } = endpoint.requests[0]!;
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
  const headers = Object.fromEntries(names.map((name) => [name, all[name]!])) as Record<(typeof names)[number], string>;
  const [first = '', second = ''] = headers['webhook-signature'].split(' ');
  const withHeaders = (over: Partial<typeof headers>) => ({ ...headers, ...over });
  const hourAgo = String(Number(headers['webhook-timestamp']) - 3600);
  const good = { secret, headers, body };
  return [
    { what: 'as sent', expected: true, ...good },
    { what: 'with the previous secret', expected: true, ...good, secret: previous },
    { what: 'one of two signatures', expected: true, ...good, headers: withHeaders({ 'webhook-signature': first }) },
    { what: 'with another secret', expected: false, ...good, secret: other },
    {
      what: 'the signature of another secret',
      expected: false,
      ...good,
      headers: withHeaders({ 'webhook-signature': second }),
    },
    { what: 'another body', expected: false, ...good, body: `${body} ` },
    { what: 'another id', expected: false, ...good, headers: withHeaders({ 'webhook-id': 'evt_other' }) },
    { what: 'an hour old', expected: false, ...good, headers: withHeaders({ 'webhook-timestamp': hourAgo }) },
    { what: 'no timestamp', expected: false, ...good, headers: withHeaders({ 'webhook-timestamp': 'now' }) },
    { what: 'no signature', expected: false, ...good, headers: withHeaders({ 'webhook-signature': '' }) },
    {
      what: 'another version',
      expected: false,
      ...good,
      headers: withHeaders({ 'webhook-signature': first.replace('v1', 'v2') }),
    },
    {
      what: 'a truncated signature',
      expected: false,
      ...good,
      headers: withHeaders({ 'webhook-signature': first.slice(0, 20) }),
    },
  ];
}

async function verifyAll({ name, files, run: [file, ...args] }: Language): Promise<boolean[]> {
  const own = tempFolder();
  try {
    for (const [path, text] of Object.entries(files)) {
      writeFileSync(
        join(own.path, path),
        text.replace('CODE', () => findCode(name)),
      );
    }
    writeFileSync(join(own.path, 'cases.json'), JSON.stringify(cases));
    writeFileSync(join(own.path, 'cases.txt'), cases.map(formatLine).join('\n'));
    const { stdout } = await promisify(execFile)(file, args, { cwd: own.path });
    return JSON.parse(stdout) as boolean[];
  } finally {
    own.remove();
  }
}

/** Formats a case as fields in Base64, for languages without JSON in their standard library. */
function formatLine({ secret, headers, body }: Case): string {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return [secret, ...names.map((name) => headers[name] ?? ''), body]
    .map((field) => Buffer.from(field).toString('base64'))
    .join(' ');
}

/** Finds the block of code after the line that names the language, in the section on webhooks. */
function findCode(name: string): string {
  const pattern = new RegExp(`^${RegExp.escape(name)}:\\n\\n\`\`\`\\w+\\n([^]*?)^\`\`\`$`, 'm');
  const [, section = ''] = readDocument('docs/consumers.md').split('\n### Verify signatures\n');
  return pattern.exec(section)?.[1] ?? '';
}
