#!/bin/sh
# Plays the first legal action; a shell and sed are enough.
while read -r line; do
    case $line in
    '{"type":"hello"'*)
        echo '{"type":"hello","protocol":1,"name":"first"}' ;;
    '{"type":"options"'*)
        echo '{"type":"ready"}' ;;
    '{"type":"choose"'*)
        id=$(printf '%s\n' "$line" | sed 's/^{"type":"choose","id":\([0-9]*\).*/\1/')
        action=$(printf '%s\n' "$line" |
            sed 's/.*"legal_actions":\[{"action":"\([^"]*\)".*/\1/')
        echo "{\"type\":\"move\",\"id\":$id,\"action\":\"$action\"}" ;;
    '{"type":"quit"'*)
        exit ;;
    esac
done
