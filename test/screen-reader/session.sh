#!/usr/bin/env bash
# session.sh LOG COMMAND ARGS...
# Runs COMMAND beside a headless Orca: virtual display, window manager, private session and accessibility buses, speech
# server with a silent synthesiser that writes what is said to LOG. Ends everything afterwards, whatever happened.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
log=$1
shift

fail() {
  echo "screen-reader: $1" >&2
  exit 69
}

# Below /tmp: the names of sockets must be short.
dir=$(mktemp -d /tmp/sluice-sr.XXXXXX)

# Whatever is started below, also what detaches itself, carries the folder's name in its environment, which is how this
# session's processes, and no others, are found again.
processes() {
  local file
  grep -lzxsF -- "SCREEN_READER_SESSION=$dir" /proc/[0-9]*/environ | while read -r file; do
    file=${file#/proc/}
    echo "${file%/environ}"
  done
}

finish() {
  local status=$? signal found
  trap '' INT TERM HUP
  trap - EXIT
  export -n SCREEN_READER_SESSION
  for signal in TERM KILL; do
    for _ in {1..20}; do
      found=$(processes || true)
      [[ $found ]] || break 2
      # shellcheck disable=SC2086
      kill -s "$signal" $found 2>/dev/null || true
      sleep 0.1
    done
  done
  rm -rf -- "$dir"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

mkdir -p "$dir"/{home,tmp,speech,bin}
mkdir -m 700 "$dir/run" "$dir/run/speech-dispatcher"
: >"$log"
cat >"$dir/speech/speechd.conf" <<'CONF'
LogLevel 3
SymbolsPreproc "none"
DefaultLanguage "en"
AddModule "silent" "synthesiser.py" ""
DefaultModule silent
CONF

unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XAUTHORITY WAYLAND_DISPLAY \
  AT_SPI_BUS_ADDRESS SPEECHD_ADDRESS LANGUAGE
export SCREEN_READER_SESSION=$dir SPOKEN_LOG=$log
export HOME=$dir/home TMPDIR=$dir/tmp XDG_RUNTIME_DIR=$dir/run
export LANG=C.UTF-8 LC_ALL=C.UTF-8 GNOME_ACCESSIBILITY=1 ACCESSIBILITY_ENABLED=1 NO_AT_BRIDGE=0
export DBUS_SESSION_BUS_ADDRESS=unix:path=$dir/run/bus

declare -A started
launch() {
  setpriv --pdeathsig TERM "${@:2}" >"$dir/$1.log" 2>&1 </dev/null &
  started[$1]=$!
  disown
}

# wait_for SECONDS WHAT TEST...
wait_for() {
  local end=$((SECONDS + $1)) name
  until "${@:3}"; do
    for name in "${!started[@]}"; do
      kill -0 "${started[$name]}" 2>/dev/null && continue
      tail -n 20 "$dir/$name.log" >&2
      fail "$name ended while waiting for the $2"
    done
    if ((SECONDS >= end)); then
      tail -n 20 "$dir"/*.log >&2
      fail "no $2 after $1 s"
    fi
    sleep 0.05
  done
}

launch display Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp -noreset 3>"$dir/display"
wait_for 20 display grep -q . "$dir/display"
DISPLAY=:$(<"$dir/display")
export DISPLAY

launch bus dbus-daemon --session --nofork --nopidfile --nosyslog --address="$DBUS_SESSION_BUS_ADDRESS"
wait_for 10 'session bus' test -S "$dir/run/bus"

launch windows openbox
launch speech speech-dispatcher --run-single --timeout 0 --config-dir "$dir/speech" --log-dir "$dir/speech" \
  --pid-file "$dir/speech/pid" --module-dir "$here" --communication-method unix_socket \
  --socket-path "$dir/run/speech-dispatcher/speechd.sock"

# The first call starts the accessibility bus; browsers look at both properties.
for property in IsEnabled ScreenReaderEnabled; do
  dbus-send --session --print-reply --dest=org.a11y.Bus /org/a11y/bus org.freedesktop.DBus.Properties.Set \
    string:org.a11y.Status "string:$property" variant:boolean:true >"$dir/a11y.log" 2>&1 ||
    fail "no accessibility bus: $(<"$dir/a11y.log")"
done
wait_for 20 'speech server' test -S "$dir/run/speech-dispatcher/speechd.sock"

# Orca asks pgrep for other Orcas of this user and refuses to start beside them; those are none of its business.
printf '#!/bin/sh\nexit 1\n' >"$dir/bin/pgrep"
chmod +x "$dir/bin/pgrep"
launch orca env PATH="$dir/bin:$PATH" orca
wait_for 60 'first word from Orca' grep -q '"event": "end"' "$log"

setpriv --pdeathsig TERM "$@" &
status=0
wait $! || status=$?
exit "$status"
