#!/usr/bin/python3
"""A silent synthesiser: an output module of Speech Dispatcher that takes the time that speech would take.

Writes a line of JSON to $SPOKEN_LOG when a message begins ("start") and when it is over ("end", or "cut" with the number
of characters that were "heard"). Times are milliseconds since 1970; $SPOKEN_SPEED is in characters a second.
"""
import html
import json
import os
import re
import select
import sys
import time

SPEED = float(os.environ.get("SPOKEN_SPEED") or 25)


def reply(text):
    os.write(1, text.encode() + b"\n")


class Lines:
    """Lines of standard input, with a time-out."""

    def __init__(self):
        self.rest = b""

    def next(self, seconds=None):
        while b"\n" not in self.rest:
            if not select.select([0], [], [], seconds)[0]:
                return None
            data = os.read(0, 65536)
            if not data:
                sys.exit(0)
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return line

    def until_dot(self):
        lines = []
        while (line := self.next()) != b".":
            lines.append(line[1:] if line.startswith(b".") else line)
        return b"\n".join(lines).decode("utf-8", "replace")


class Voice:
    def __init__(self, path):
        self.log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self.count = 0
        self.text = None
        self.began = self.ends = 0.0

    def record(self, event, **more):
        entry = {"at": round(time.time() * 1000), "id": self.count, "event": event, **more}
        os.write(self.log, (json.dumps(entry, ensure_ascii=False) + "\n").encode())

    def speak(self, markup):
        text = html.unescape(re.sub(r"<[^>]*>", "", markup)).strip()
        reply("200 OK SPEAKING")
        reply("701 BEGIN")
        if not text:
            reply("702 END")
            return
        self.count += 1
        self.text = text
        self.began = time.monotonic()
        self.ends = self.began + max(0.05, len(text) / SPEED)
        self.record("start", text=text)

    def remaining(self):
        return None if self.text is None else max(0.0, self.ends - time.monotonic())

    def finish(self):
        self.record("end")
        self.text = None
        reply("702 END")

    def stop(self, answer):
        if self.text is None:
            return
        heard = int((time.monotonic() - self.began) * SPEED)
        self.record("cut", heard=min(heard, len(self.text)))
        self.text = None
        reply(answer)


def main():
    lines, voice = Lines(), Voice(os.environ["SPOKEN_LOG"])
    while True:
        command = lines.next(voice.remaining())
        if command is None:
            voice.finish()
        elif command == b"INIT":
            reply("299-Silent synthesiser\n299 OK LOADED SUCCESSFULLY")
        elif command == b"SET":
            reply("207 OK RECEIVING SETTINGS")
            lines.until_dot()
            reply("203 OK SETTINGS RECEIVED")
        elif command == b"AUDIO":
            reply("207 OK RECEIVING AUDIO SETTINGS")
            # Audio played by the server would need a sound card: it falls back to the module's own when refused.
            refused = "audio_output_method=server" in lines.until_dot()
            reply("303 ERROR INVALID PARAMETER OR VALUE" if refused else "203 OK AUDIO INITIALIZED")
        elif command == b"LOGLEVEL":
            reply("207 OK RECEIVING LOGLEVEL SETTINGS")
            lines.until_dot()
            reply("203 OK LOGLEVEL SET")
        elif command in (b"SPEAK", b"CHAR", b"KEY", b"SOUND_ICON"):
            reply("202 OK RECEIVING MESSAGE")
            voice.speak(lines.until_dot())
        elif command == b"STOP":
            voice.stop("703 STOP")
        elif command == b"PAUSE":
            voice.stop("704 PAUSE")
        elif command == b"LIST VOICES":
            reply("200-silent\ten\tMALE1\n200 OK VOICE LIST SENT")
        elif command.startswith(b"DEBUG"):
            reply("200 OK DEBUGGING")
        elif command == b"QUIT":
            reply("210 OK QUIT")
            return
        else:
            reply("300 ERR UNKNOWN COMMAND")


if __name__ == "__main__":
    main()
