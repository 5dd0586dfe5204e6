// Watches as so many pods have them: each with a connection of its own, going on where it was whenever that ends. In Go, as most
// clients of a control plane are: two hundred clients in one process of Node take as much of the machine as the gateway.
//
//	go-watches SERVER CA-FILE TOKEN-FILE http1|http2 COLLECTION...
//
// There is one watch for each collection that is named. It prints a line "ready" when all of them have begun, then for each line of
// input a report, and ends with its input.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// How long a watch waits before it tries again.
const pause = 10 * time.Millisecond

// A report says what all watches have seen.
type report struct {
	// For each time that a watch ended: milliseconds until it was answered again.
	GapsMs []float64 `json:"gapsMs"`
	// For each watch, the names of the objects that were added.
	Seen [][]string `json:"seen"`
	// How often something else than the end of a connection went wrong.
	Failures map[string]int `json:"failures"`
}

type message struct {
	Type   string
	Object struct {
		Metadata struct{ Name, ResourceVersion string }
	}
}

type watches struct {
	server, authorization string
	newClient             func() *http.Client
	begun                 sync.WaitGroup
	mutex                 sync.Mutex
	report                report
}

func main() {
	if len(os.Args) < 6 {
		fmt.Fprintln(os.Stderr, "usage: go-watches SERVER CA-FILE TOKEN-FILE http1|http2 COLLECTION...")
		os.Exit(2)
	}
	collections := os.Args[5:]
	all := &watches{
		server:        os.Args[1],
		authorization: "Bearer " + strings.TrimSpace(read(os.Args[3])),
		newClient:     clients(read(os.Args[2]), os.Args[4] == "http2"),
		report:        report{GapsMs: []float64{}, Seen: make([][]string, len(collections)), Failures: map[string]int{}},
	}
	all.begun.Add(len(collections))
	for number, collection := range collections {
		all.report.Seen[number] = []string{}
		go all.follow(number, collection)
	}
	all.begun.Wait()
	fmt.Println("ready")
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		all.print()
	}
}

func read(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return string(text)
}

// Clients that share no connection.
func clients(authority string, http2 bool) func() *http.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(authority))
	return func() *http.Client {
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: http2}
		if !http2 {
			transport.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
		}
		return &http.Client{Transport: transport}
	}
}

func (all *watches) print() {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	if err := json.NewEncoder(os.Stdout).Encode(all.report); err != nil {
		os.Exit(1)
	}
}

func (all *watches) failed(what string) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	all.report.Failures[what]++
}

// Follows a collection for ever. The list before the first watch says where it begins.
func (all *watches) follow(number int, collection string) {
	client := all.newClient()
	version := all.listVersion(client, collection)
	var ended time.Time
	for first := true; ; time.Sleep(pause) {
		query := "?watch=1&allowWatchBookmarks=true&resourceVersion=" + version
		response, err := all.get(client, collection+query)
		if err != nil {
			continue
		}
		if response.StatusCode != http.StatusOK {
			all.failed(response.Status)
			response.Body.Close()
			continue
		}
		if first {
			first = false
			all.begun.Done()
		} else {
			all.mutex.Lock()
			all.report.GapsMs = append(all.report.GapsMs, float64(time.Since(ended).Microseconds())/1000)
			all.mutex.Unlock()
		}
		version = all.readMessages(number, response, version)
		ended = time.Now()
	}
}

func (all *watches) get(client *http.Client, path string) (*http.Response, error) {
	request, err := http.NewRequest(http.MethodGet, all.server+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", all.authorization)
	return client.Do(request)
}

func (all *watches) listVersion(client *http.Client, collection string) string {
	for ; ; time.Sleep(pause) {
		response, err := all.get(client, collection)
		if err != nil {
			continue
		}
		var list struct {
			Metadata struct{ ResourceVersion string }
		}
		err = json.NewDecoder(response.Body).Decode(&list)
		response.Body.Close()
		if err == nil && response.StatusCode == http.StatusOK {
			return list.Metadata.ResourceVersion
		}
		all.failed("list: " + response.Status)
	}
}

// Reads until the connection ends; returns the version that was seen last.
func (all *watches) readMessages(number int, response *http.Response, version string) string {
	defer response.Body.Close()
	for body := bufio.NewReaderSize(response.Body, 64*1024); ; {
		line, err := body.ReadBytes('\n')
		if err != nil {
			return version
		}
		var received message
		if err := json.Unmarshal(line, &received); err != nil {
			all.failed("a message that is no JSON")
			continue
		}
		if received.Object.Metadata.ResourceVersion != "" {
			version = received.Object.Metadata.ResourceVersion
		}
		switch received.Type {
		case "ADDED":
			all.mutex.Lock()
			all.report.Seen[number] = append(all.report.Seen[number], received.Object.Metadata.Name)
			all.mutex.Unlock()
		case "BOOKMARK":
		default:
			all.failed("a message " + received.Type)
		}
	}
}
